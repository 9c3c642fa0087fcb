// The parts of the page that are brought when they are opened.
import { looks } from "../components/lazy.tsx";

export { HistoryPage } from "../pages/history.tsx";
export { PastPage } from "../pages/history_ask.tsx";
export { SettingsPage } from "../pages/settings.tsx";
export { StatsPage } from "../pages/stats.tsx";

// Their looks come with them.
await looks("more.css");
