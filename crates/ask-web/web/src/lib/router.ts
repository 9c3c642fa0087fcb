// Which page is shown, and how to navigate without loading anything.
import { useEffect, useReducer } from "preact/hooks";
import { focusWhenShown } from "./focus.ts";

const listeners = new Set<() => void>();

/** Shows another page by its path. */
export function navigate(path: string, mode: "push" | "replace" = "push"): void {
  if (path !== location.pathname + location.search) history[mode === "push" ? "pushState" : "replaceState"](null, "", path);
  for (const listener of [...listeners]) listener();
}

/** Calls the listener whenever another page is shown. */
export function watchRoute(listener: () => void): void {
  listeners.add(listener);
  addEventListener("popstate", listener);
}

export type Route = { name: "inbox" | "ask" | "history" | "history-ask" | "stats" | "settings" | "pair"; id: string; query: string };

/** An id with invalid escapes is taken as it is: the page then says that there is no such ask. */
function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function currentRoute(): Route {
  const [, first = "", rest = ""] = location.pathname.split("/");
  const id = decodeId(rest);
  const query = location.search;
  if (first === "a" && id) return { name: "ask", id, query };
  if (first === "history") return { name: id ? "history-ask" : "history", id, query };
  if (first === "stats" || first === "settings" || first === "pair") return { name: first, id: "", query };
  return { name: "inbox", id: "", query };
}

export function useRoute(): Route {
  const [, rerender] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const update = () => rerender(undefined as never);
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.("a");
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/v1/") || link.search.includes("form=") || link.hash) return;
      event.preventDefault();
      navigate(link.pathname + link.search);
      focusWhenShown("main h1");
    };
    listeners.add(update);
    addEventListener("popstate", update);
    document.addEventListener("click", click);
    return () => {
      listeners.delete(update);
      removeEventListener("popstate", update);
      document.removeEventListener("click", click);
    };
  }, []);
  return currentRoute();
}
