// The parts of the page that are brought when they are opened.
import { looks } from "./part.tsx";

export { HistoryPage } from "./history.tsx";
export { PastPage } from "./past.tsx";
export { SettingsPage } from "./settings.tsx";
export { StatsPage } from "./stats.tsx";

// Their looks come with them.
await looks("more.css");
