// What whoever has no session sees, brought without the rest.
import { looks } from "../components/lazy.tsx";

export { PairPage } from "../remote/pairing_dialog.tsx";
export { SignedOut } from "../pages/signed_out.tsx";

await looks("pair.css");
