// The question whether a device may come in, brought when one asks.
import { looks } from "../components/lazy.tsx";

export { Knocks } from "../remote/pairing_requests.tsx";

await looks("pair.css");
