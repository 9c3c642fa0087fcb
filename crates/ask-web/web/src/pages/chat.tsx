// The card in a chat client that shows MCP Apps: the page's own card, whose requests the client passes to the agent's
// server. It has no network and no storage of its own.
import type { JSX } from "preact";
import { render } from "preact";
import { type Transport, Problem, setTransport } from "../lib/api.ts";
import { isAnswerable } from "../state/asks.ts";
import * as bridge from "../lib/bridge.ts";
import { AskCard } from "../components/card.tsx";
import { formOf, useAskForm } from "../state/ask_form.ts";
import { receive } from "../state/draft_sync.ts";
import { saveAll } from "../state/send_queue.ts";
import { isTouched } from "../state/form.ts";
import { ResolvedNotice } from "../components/review.tsx";
import { Toasts } from "../components/toast.tsx";
import { guardClicks } from "../lib/click_guard.ts";
import { callbacks, setHubTime } from "../state/store.ts";
import type { Ask } from "../lib/types.ts";
import { type MessageId, translate, setMessages } from "../lib/i18n.ts";

/** How often the card polls the ask's state: while it is visible, and while it isn't. */
const POLL_MS = 2000;
const HIDDEN_POLL_MS = 10_000;
/** A client that hasn't replied after this time probably handles no requests while its agent waits. */
const SILENCE_MS = 8000;

type CardState = { now: string; stamp?: string; ask?: Ask; sure?: boolean; page?: string | null; tell?: string | null };
type ActionReply = { record?: Ask; tell?: string; revision?: number };

const key = document.querySelector<HTMLMetaElement>("meta[name=ask-key]")?.content ?? "";
const root = document.getElementById("app") as HTMLElement;
let host: bridge.Host = {};
let context: bridge.HostContext = {};
let callArguments: unknown;
let ask: Ask | undefined;
let isAskCertain = false;
let pageUrl: string | undefined;
let stamp: string | undefined;
let placeholder: MessageId = "chat-waiting";
let notice: MessageId | undefined;
let undelivered: { id: string; text: string } | undefined;
const sentIds = new Set<string>();

async function callTool<T>(name: string, more: Record<string, unknown>): Promise<T> {
  type Result = { content?: { type: string; text?: string }[] };
  const { content } = await bridge.request<Result>("tools/call", { name: `ask_ui_${name}`, arguments: { key, ...more } });
  const text = content?.find(({ type }) => type === "text")?.text ?? "";
  let reply: { done?: T; problem?: ConstructorParameters<typeof Problem>[1] & { status: number } } = {};
  try {
    reply = JSON.parse(text) as typeof reply;
  } catch {
    throw new Problem(403, { detail: text });
  }
  if (reply.problem) throw new Problem(reply.problem.status, reply.problem);
  return reply.done as T;
}

/** Sends the card's requests as tool calls. */
const requestByTool: Transport = async (_method, path, body, more) => {
  const [, id = "", action = ""] = /^asks\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  const askId = decodeURIComponent(id);
  const rest = body as Record<string, unknown> | undefined;
  if (action === "") return (await callTool<CardState>("state", { askId })).ask;
  if (action === "shown") return void (await callTool("state", { askId, seen: true, stamp }));
  const names: Record<string, string> = { draft: "draft", answer: "submit", decline: "decline", clarify: "ask_back", extend: "extend" };
  const attempt = more?.["Idempotency-Key"];
  const done = await callTool<ActionReply>(names[action] ?? action, { askId, ...rest, ...(attempt ? { attempt } : {}) });
  if (done?.tell) void sendToAgent(askId, done.tell);
  // The reply to `extend` is the ask itself.
  return action === "extend" ? { record: done } : done;
};

/** Sends the answer to the agent as a message, because no call of the agent waits for it. */
async function sendToAgent(id: string, text: string, isRetry = false): Promise<void> {
  if (sentIds.has(id) && !isRetry) return;
  sentIds.add(id);
  undelivered = undefined;
  if (await bridge.sendMessage(text)) {
    notice = "chat-passed";
    await callTool("told", { askId: id }).catch(() => undefined);
  } else {
    notice = "chat-not-passed";
    undelivered = { id, text };
  }
  show();
}

let silenceTimer: ReturnType<typeof setTimeout> | undefined;
let pollTimer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let hasFailed = false;

/** Requests the ask's state, and schedules the next request. */
async function poll(): Promise<void> {
  clearTimeout(pollTimer);
  if (isPolling) return;
  isPolling = true;
  silenceTimer = setTimeout(() => {
    notice = "chat-silent";
    show();
  }, SILENCE_MS);
  try {
    const target = isAskCertain && ask ? { askId: ask.askId } : { ...(context.toolInfo?.id === undefined ? {} : { call: context.toolInfo.id }), ...(callArguments ? { arguments: callArguments } : {}) };
    applyState(await callTool<CardState>("state", { ...target, ...(stamp ? { stamp } : {}) }));
    if (notice === "chat-silent") notice = undefined;
    if (hasFailed) void saveAll();
    hasFailed = false;
  } catch (error) {
    hasFailed = true;
    if (error instanceof Problem && error.status === 403) placeholder = "chat-nothing";
    else notice = "chat-silent";
  }
  clearTimeout(silenceTimer);
  isPolling = false;
  show();
  const isSettled = ask && !isAnswerable(ask) && (ask.delivered || !ask.answeredAt);
  if (!isSettled) pollTimer = setTimeout(() => void poll(), document.visibilityState === "visible" && ask ? POLL_MS : ask ? HIDDEN_POLL_MS : POLL_MS);
}

function applyState(state: CardState): void {
  setHubTime(state.now);
  if (!state.stamp) placeholder = "chat-nothing";
  stamp = state.stamp;
  if (!state.ask) return;
  // Until the client says which call the card belongs to, the newest ask is shown. One in which somebody typed stays.
  if (ask && ask.askId !== state.ask.askId && isTouched(formOf(ask).draft)) return;
  [ask, isAskCertain, pageUrl] = [state.ask, state.sure ?? false, state.page ?? undefined];
  receive(formOf(ask), ask);
  if (state.tell) void sendToAgent(ask.askId, state.tell);
}

/** Applies the client's theme, colours and sizes to the card. */
function applyHostContext(changed: bridge.HostContext): void {
  context = { ...context, ...changed };
  const { theme, styles, containerDimensions: size, safeAreaInsets: inset } = context;
  const { style, dataset } = document.documentElement;
  if (theme) dataset.theme = theme;
  const variables = styles?.variables ?? {};
  for (const [name, value] of Object.entries(variables)) if (/^--[a-z0-9-]+$/.test(name) && value) style.setProperty(name, value);
  // The card's and the client's colours aren't mixed: only a background and a text colour of the same set are sure to contrast.
  const hasColors = variables["--color-background-primary"] && variables["--color-text-primary"];
  if (hasColors) dataset.host = "";
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
        {ask ? <Open key={ask.askId} ask={ask} /> : <p class="nothing" role="status">{translate(placeholder)}</p>}
      </main>
      {(notice || pageUrl) && (
        <aside class="row wrap" aria-label={translate("chat-about")}>
          {notice && <p class={notice === "chat-passed" ? "muted" : "warn"} role="status">{translate(notice)}</p>}
          {undelivered && <button onClick={() => undelivered && void sendToAgent(undelivered.id, undelivered.text, true)}>{translate("try-now")}</button>}
          {pageUrl && host.hostCapabilities?.openLinks && <button class="quiet push" onClick={() => pageUrl && void bridge.openLink(pageUrl).catch(() => undefined)}>{translate("chat-open")}</button>}
        </aside>
      )}
      <Toasts />
    </>
  );
}

function Open({ ask }: { ask: Ask }): JSX.Element {
  const form = useAskForm(ask);
  return isAnswerable(form.ask) ? <AskCard form={form} /> : <ResolvedNotice form={form} />;
}

const words = document.getElementById("words") as HTMLElement;
setMessages(JSON.parse(words.textContent ?? "{}") as Parameters<typeof setMessages>[0], words.lang);
document.documentElement.lang = words.lang;
setTransport(requestByTool);
guardClicks();
callbacks.checkConnection = () => void poll();
show();
bridge.reportSize(document.body);
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? void poll() : void saveAll()));
// Links in agents' texts lead out of the card. Only the client can open them.
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a");
  if (!link) return;
  event.preventDefault();
  if (/^https?:$/.test(link.protocol)) void bridge.openLink(link.href).catch(() => undefined);
});
void bridge
  .connect({
    input: (input) => {
      callArguments = input;
      void poll();
    },
    result: () => void poll(),
    cancelled: () => {
      notice = "chat-cancelled";
      show();
      void poll();
    },
    contextChanged: applyHostContext,
    teardown: saveAll,
  })
  .then((found) => {
    host = found;
    applyHostContext(host.hostContext ?? {});
    void poll();
  });
