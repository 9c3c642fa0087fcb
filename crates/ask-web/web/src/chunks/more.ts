// The pages besides the list and the card, loaded when one of them is opened.
import { loadStylesheet } from "../components/lazy.tsx";

export { HistoryPage } from "../pages/history.tsx";
export { HistoryAskPage } from "../pages/history_ask.tsx";
export { SettingsPage } from "../pages/settings.tsx";
export { StatsPage } from "../pages/stats.tsx";

await loadStylesheet("more.css");
