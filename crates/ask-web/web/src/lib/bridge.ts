// Messages to and from the chat client that shows the card: JSON-RPC over `postMessage`, as MCP Apps has it
// (2026-01-26). Whoever is not our parent is not heard.

type Id = number | string;
type Params = Record<string, unknown>;
type Message = { jsonrpc?: string; id?: Id; method?: string; params?: Params; result?: unknown; error?: { code?: number; message?: string } };

/** What the client answers when it doesn't do what it was asked. */
export class Refused extends Error {
  code: number;
  constructor({ code, message }: { code?: number; message?: string }) {
    super(message ?? String(code));
    this.code = code ?? 0;
  }
}

/** What it has to say of itself and of the place that the card has. */
export type HostContext = {
  toolInfo?: { id?: Id };
  theme?: "light" | "dark";
  styles?: { variables?: Record<string, string | undefined> };
  containerDimensions?: { height?: number; maxHeight?: number; width?: number; maxWidth?: number };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
};
export type Host = { hostCapabilities?: { serverTools?: object; openLinks?: object; message?: object }; hostContext?: HostContext };

/** What the card does when the client says something. */
export type Hears = {
  /** These were the arguments of the call. */
  input(given: unknown): void;
  /** The call has returned. */
  result(): void;
  /** The call was stopped. */
  cancelled(): void;
  /** The place of the card has changed, in these things. */
  changed(context: HostContext): void;
  /** The card is about to go; what it has to do before that. */
  leaving(): Promise<unknown>;
};

const waits = new Map<Id, { done: (result: unknown) => void; failed: (error: Error) => void }>();
let last = 0;

const post = (message: Message): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

export const notify = (method: string, params: Params = {}): void => post({ method, params });

/** A request; it may take as long as it takes. */
export function request<T>(method: string, params: Params): Promise<T> {
  const id = ++last;
  return new Promise<T>((done, failed) => {
    waits.set(id, { done: done as (result: unknown) => void, failed });
    post({ id, method, params });
  });
}

/** Begins the conversation. */
export async function begin(hears: Hears): Promise<Host> {
  addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    if (data.method !== undefined) return void heard(hears, data);
    const waiting = data.id === undefined ? undefined : waits.get(data.id);
    if (!waiting) return;
    waits.delete(data.id as Id);
    if (data.error) waiting.failed(new Refused(data.error));
    else waiting.done(data.result);
  });
  const host = await request<Host>("ui/initialize", {
    appInfo: { name: "ask-user", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: "2026-01-26",
  });
  notify("ui/notifications/initialized");
  return host ?? {};
}

async function heard(hears: Hears, { id, method, params }: Message): Promise<void> {
  if (id === undefined) {
    if (method === "ui/notifications/tool-input") hears.input(params?.arguments);
    else if (method === "ui/notifications/tool-result") hears.result();
    else if (method === "ui/notifications/tool-cancelled") hears.cancelled();
    else if (method === "ui/notifications/host-context-changed") hears.changed((params ?? {}) as HostContext);
  } else if (method === "ui/resource-teardown") {
    await hears.leaving();
    post({ id, result: {} });
  } else if (method === "ping") post({ id, result: {} });
  else post({ id, error: { code: -32601, message: "the card has no such method" } });
}

/** Has an address opened outside. */
export const openLink = (url: string): Promise<unknown> => request("ui/open-link", { url });

/** Says something to the agent in its person's name. Says whether the client has passed it on. */
export async function speak(text: string): Promise<boolean> {
  const block = { type: "text", text };
  const say = (content: unknown) => request<{ isError?: boolean } | undefined>("ui/message", { role: "user", content });
  try {
    // The specification's text has one block, its types have a list: what can't be read is said the other way.
    const said = say([block]).catch((error: unknown) => (error instanceof Refused && error.code === -32602 ? say(block) : Promise.reject(error)));
    return !(await said)?.isError;
  } catch {
    return false;
  }
}

/** Says how large the card is, whenever that changes. */
export function tellSize(of: Element): void {
  let told = "";
  new ResizeObserver(() => {
    const { width, height } = of.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (told === (told = JSON.stringify(size))) return;
    notify("ui/notifications/size-changed", size);
  }).observe(of);
}
