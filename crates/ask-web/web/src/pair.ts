// What whoever has no session sees, brought without the rest.
import { looks } from "./part.tsx";

export { PairPage } from "./knocking.tsx";
export { SignedOut } from "./signedout.tsx";

await looks("pair.css");
