// The question whether a device may come in, brought when one asks.
import { looks } from "./part.tsx";

export { Knocks } from "./knocks.tsx";

await looks("pair.css");
