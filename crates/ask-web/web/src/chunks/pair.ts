// What a browser without a session shows, loaded without the rest.
import { loadStylesheet } from "../components/lazy.tsx";

export { PairPage } from "../remote/pairing_dialog.tsx";
export { SignedOut } from "../pages/signed_out.tsx";

await loadStylesheet("pair.css");
