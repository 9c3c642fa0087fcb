// Which part of the page is shown, and how one gets to another without leaving it.
import { useEffect, useReducer } from "preact/hooks";
import { arrive } from "./focus.ts";

const lookers = new Set<() => void>();

/** Goes to a path of ours. */
export function go(path: string, how: "push" | "replace" = "push"): void {
  if (path !== location.pathname + location.search) history[how === "push" ? "pushState" : "replaceState"](null, "", path);
  for (const look of [...lookers]) look();
}

/** Calls whenever another part is shown. */
export function watchRoute(look: () => void): void {
  lookers.add(look);
  addEventListener("popstate", look);
}

export type Route = { name: "inbox" | "ask" | "history" | "past" | "stats" | "settings" | "pair"; id: string; query: string };

/** What no browser wrote names nothing, and is said to. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function route(): Route {
  const [, first = "", rest = ""] = location.pathname.split("/");
  const id = decoded(rest);
  const query = location.search;
  if (first === "a" && id) return { name: "ask", id, query };
  if (first === "history") return { name: id ? "past" : "history", id, query };
  if (first === "stats" || first === "settings" || first === "pair") return { name: first, id: "", query };
  return { name: "inbox", id: "", query };
}

export function useRoute(): Route {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const look = () => again(undefined as never);
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.("a");
      const plainly = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !plainly || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/v1/") || link.search.includes("form=") || link.hash) return;
      event.preventDefault();
      go(link.pathname + link.search);
      arrive("main h1");
    };
    lookers.add(look);
    addEventListener("popstate", look);
    document.addEventListener("click", click);
    return () => {
      lookers.delete(look);
      removeEventListener("popstate", look);
      document.removeEventListener("click", click);
    };
  }, []);
  return route();
}
