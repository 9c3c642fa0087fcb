// The notice that a device asks to be paired, loaded with the first request.
import { loadStylesheet } from "../components/lazy.tsx";

export { PairingRequests } from "../remote/pairing_requests.tsx";

await loadStylesheet("pair.css");
