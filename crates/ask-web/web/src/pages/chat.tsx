// The card in a chat client that shows MCP Apps: the page's own card, whose requests the client carries to
// the agent's server. There is no network here, and nothing is kept but what the hub has.
import type { JSX } from "preact";
import { render } from "preact";
import { type Carrier, Problem, carryBy } from "../lib/api.ts";
import { answerable } from "../state/asks.ts";
import * as bridge from "../lib/bridge.ts";
import { AskCard } from "../components/card.tsx";
import { formOf, useAskForm } from "../state/ask_form.ts";
import { receive } from "../state/draft_sync.ts";
import { saveAll } from "../state/send_queue.ts";
import { isTouched } from "../state/form.ts";
import { ResolvedNotice } from "../components/review.tsx";
import { Said } from "../components/toast.tsx";
import { settle as guard } from "../lib/click_guard.ts";
import { line, setTime } from "../state/store.ts";
import type { Ask } from "../lib/types.ts";
import { type Word, say, useWords } from "../lib/i18n.ts";

/** How often the card looks: while its person sees it, and else. */
const LOOK_MS = 2000;
const GLANCE_MS = 10_000;
/** After so long without a word the client is taken to say nothing while its agent waits. */
const SILENT_MS = 8000;

type Standing = { now: string; stamp?: string; ask?: Ask; sure?: boolean; page?: string | null; tell?: string | null };
type Done = { record?: Ask; tell?: string; revision?: number };

const key = document.querySelector<HTMLMetaElement>("meta[name=ask-key]")?.content ?? "";
const root = document.getElementById("app") as HTMLElement;
let host: bridge.Host = {};
let context: bridge.HostContext = {};
let given: unknown;
let ask: Ask | undefined;
let sure = false;
let page: string | undefined;
let stamp: string | undefined;
let word: Word = "chat-waiting";
let notice: Word | undefined;
let undelivered: { id: string; text: string } | undefined;
const told = new Set<string>();

async function tool<T>(name: string, more: Record<string, unknown>): Promise<T> {
  type Result = { content?: { type: string; text?: string }[] };
  const { content } = await bridge.request<Result>("tools/call", { name: `ask_ui_${name}`, arguments: { key, ...more } });
  const text = content?.find(({ type }) => type === "text")?.text ?? "";
  let said: { done?: T; problem?: ConstructorParameters<typeof Problem>[1] & { status: number } } = {};
  try {
    said = JSON.parse(text) as typeof said;
  } catch {
    throw new Problem(403, { detail: text });
  }
  if (said.problem) throw new Problem(said.problem.status, said.problem);
  return said.done as T;
}

/** The page's requests as calls of tools. */
const carry: Carrier = async (_method, path, body, more) => {
  const [, id = "", what = ""] = /^asks\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const askId = decodeURIComponent(id);
  const rest = body as Record<string, unknown> | undefined;
  if (what === "") return (await tool<Standing>("state", { askId })).ask;
  if (what === "shown") return void (await tool("state", { askId, seen: true, stamp }));
  const names: Record<string, string> = { draft: "draft", answer: "submit", decline: "decline", clarify: "ask_back", extend: "extend" };
  const attempt = more?.["Idempotency-Key"];
  const done = await tool<Done>(names[what] ?? what, { askId, ...rest, ...(attempt ? { attempt } : {}) });
  if (done?.tell) void passOn(askId, done.tell);
  // More time is answered with the ask itself.
  return what === "extend" ? { record: done } : done;
};

/** Has the agent read what its person said, where no call of it waits for that. */
async function passOn(id: string, text: string, again = false): Promise<void> {
  if (told.has(id) && !again) return;
  told.add(id);
  undelivered = undefined;
  if (await bridge.speak(text)) {
    notice = "chat-passed";
    await tool("told", { askId: id }).catch(() => undefined);
  } else {
    notice = "chat-not-passed";
    undelivered = { id, text };
  }
  show();
}

let silent: ReturnType<typeof setTimeout> | undefined;
let next: ReturnType<typeof setTimeout> | undefined;
let looking = false;
let failing = false;

/** Looks how the ask stands. */
async function look(): Promise<void> {
  clearTimeout(next);
  if (looking) return;
  looking = true;
  silent = setTimeout(() => {
    notice = "chat-silent";
    show();
  }, SILENT_MS);
  try {
    const which = sure && ask ? { askId: ask.askId } : { ...(context.toolInfo?.id === undefined ? {} : { call: context.toolInfo.id }), ...(given ? { arguments: given } : {}) };
    take(await tool<Standing>("state", { ...which, ...(stamp ? { stamp } : {}) }));
    if (notice === "chat-silent") notice = undefined;
    if (failing) void saveAll();
    failing = false;
  } catch (error) {
    failing = true;
    if (error instanceof Problem && error.status === 403) word = "chat-nothing";
    else notice = "chat-silent";
  }
  clearTimeout(silent);
  looking = false;
  show();
  const over = ask && !answerable(ask) && (ask.delivered || !ask.answeredAt);
  if (!over) next = setTimeout(() => void look(), document.visibilityState === "visible" && ask ? LOOK_MS : ask ? GLANCE_MS : LOOK_MS);
}

function take(said: Standing): void {
  setTime(said.now);
  if (!said.stamp) word = "chat-nothing";
  stamp = said.stamp;
  if (!said.ask) return;
  // Until the client has said which call this is, the newest ask is shown; what was typed stays.
  if (ask && ask.askId !== said.ask.askId && isTouched(formOf(ask).draft)) return;
  [ask, sure, page] = [said.ask, said.sure ?? false, said.page ?? undefined];
  receive(formOf(ask), ask);
  if (said.tell) void passOn(ask.askId, said.tell);
}

/** Puts the card into its place as the client describes it. */
function settle(changed: bridge.HostContext): void {
  context = { ...context, ...changed };
  const { theme, styles, containerDimensions: size, safeAreaInsets: inset } = context;
  const { style, dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  const variables = styles?.variables ?? {};
  for (const [name, value] of Object.entries(variables)) if (/^--[a-z0-9-]+$/.test(name) && value) style.setProperty(name, value);
  // Ours and the client's colours don't mix: only with ground and text of one hand can both be told apart.
  const own = variables["--color-background-primary"] && variables["--color-text-primary"];
  if (own) dataset.host = "";
  style.height = size?.height ? "100vh" : "";
  style.maxHeight = size?.maxHeight ? `${size.maxHeight}px` : "";
  style.maxWidth = size?.maxWidth ? `${size.maxWidth}px` : "";
  style.overflow = size?.height || size?.maxHeight ? "auto" : "";
  if (inset) style.padding = [inset.top, inset.right, inset.bottom, inset.left].map((side) => `${side}px`).join(" ");
}

const show = (): void => render(<Chat />, root);

function Chat(): JSX.Element {
  return (
    <>
      <main id="main">
        {ask ? <Open key={ask.askId} ask={ask} /> : <p class="nothing" role="status">{say(word)}</p>}
      </main>
      {(notice || page) && (
        <aside class="row wrap" aria-label={say("chat-about")}>
          {notice && <p class={notice === "chat-passed" ? "muted" : "warn"} role="status">{say(notice)}</p>}
          {undelivered && <button onClick={() => undelivered && void passOn(undelivered.id, undelivered.text, true)}>{say("try-now")}</button>}
          {page && host.hostCapabilities?.openLinks && <button class="quiet push" onClick={() => page && void bridge.openLink(page).catch(() => undefined)}>{say("chat-open")}</button>}
        </aside>
      )}
      <Said />
    </>
  );
}

function Open({ ask }: { ask: Ask }): JSX.Element {
  const form = useAskForm(ask);
  return answerable(form.ask) ? <AskCard form={form} /> : <ResolvedNotice form={form} />;
}

const words = document.getElementById("words") as HTMLElement;
useWords(JSON.parse(words.textContent ?? "{}") as Parameters<typeof useWords>[0], words.lang);
document.documentElement.lang = words.lang;
carryBy(carry);
guard();
line.recheck = () => void look();
show();
bridge.tellSize(document.body);
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? void look() : void saveAll()));
// Links of agents lead out of the card: only the client can follow them.
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a");
  if (!link) return;
  event.preventDefault();
  if (/^https?:$/.test(link.protocol)) void bridge.openLink(link.href).catch(() => undefined);
});
void bridge
  .begin({
    input: (input) => {
      given = input;
      void look();
    },
    result: () => void look(),
    cancelled: () => {
      notice = "chat-cancelled";
      show();
      void look();
    },
    changed: settle,
    leaving: saveAll,
  })
  .then((found) => {
    host = found;
    settle(host.hostContext ?? {});
    void look();
  });
