// Messages to and from the chat client that shows the card: JSON-RPC over `postMessage`, as MCP Apps specifies it
// (2026-01-26). Messages from other windows than the parent are ignored.

type Id = number | string;
type Params = Record<string, unknown>;
type Message = { jsonrpc?: string; id?: Id; method?: string; params?: Params; result?: unknown; error?: { code?: number; message?: string } };

/** The client's refusal of a request. */
export class RpcError extends Error {
  code: number;
  constructor({ code, message }: { code?: number; message?: string }) {
    super(message ?? String(code));
    this.code = code ?? 0;
  }
}

/** What the client says about the call, its theme and the card's size. */
export type HostContext = {
  toolInfo?: { id?: Id };
  theme?: "light" | "dark";
  styles?: { variables?: Record<string, string | undefined> };
  containerDimensions?: { height?: number; maxHeight?: number; width?: number; maxWidth?: number };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
};
export type Host = { hostCapabilities?: { serverTools?: object; openLinks?: object; message?: object }; hostContext?: HostContext };

/** Handlers of the client's notifications. */
export type HostEvents = {
  /** The arguments of the call. */
  input(callArguments: unknown): void;
  /** The call has returned. */
  result(): void;
  /** The call was stopped. */
  cancelled(): void;
  /** These parts of the context changed. */
  contextChanged(context: HostContext): void;
  /** The card is about to be removed. The client waits for the promise. */
  teardown(): Promise<unknown>;
};

const pending = new Map<Id, { done: (result: unknown) => void; failed: (error: Error) => void }>();
let lastId = 0;

const postToHost = (message: Message): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

export const notify = (method: string, params: Params = {}): void => postToHost({ method, params });

/** Sends a request, without a limit of time. */
export function request<T>(method: string, params: Params): Promise<T> {
  const id = ++lastId;
  return new Promise<T>((done, failed) => {
    pending.set(id, { done: done as (result: unknown) => void, failed });
    postToHost({ id, method, params });
  });
}

/** Initializes the connection to the client. */
export async function connect(events: HostEvents): Promise<Host> {
  addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    if (data.method !== undefined) return void handleMessage(events, data);
    const waiting = data.id === undefined ? undefined : pending.get(data.id);
    if (!waiting) return;
    pending.delete(data.id as Id);
    if (data.error) waiting.failed(new RpcError(data.error));
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

async function handleMessage(events: HostEvents, { id, method, params }: Message): Promise<void> {
  if (id === undefined) {
    if (method === "ui/notifications/tool-input") events.input(params?.arguments);
    else if (method === "ui/notifications/tool-result") events.result();
    else if (method === "ui/notifications/tool-cancelled") events.cancelled();
    else if (method === "ui/notifications/host-context-changed") events.contextChanged((params ?? {}) as HostContext);
  } else if (method === "ui/resource-teardown") {
    await events.teardown();
    postToHost({ id, result: {} });
  } else if (method === "ping") postToHost({ id, result: {} });
  else postToHost({ id, error: { code: -32601, message: "the card has no such method" } });
}

/** Asks the client to open a URL. */
export const openLink = (url: string): Promise<unknown> => request("ui/open-link", { url });

/** Sends a message to the agent in the person's name. Resolves to whether the client accepted it. */
export async function sendMessage(text: string): Promise<boolean> {
  const block = { type: "text", text };
  const send = (content: unknown) => request<{ isError?: boolean } | undefined>("ui/message", { role: "user", content });
  try {
    // The specification's text has one block, its types have a list. If the client refuses the list, the block is sent.
    const reply = send([block]).catch((error: unknown) => (error instanceof RpcError && error.code === -32602 ? send(block) : Promise.reject(error)));
    return !(await reply)?.isError;
  } catch {
    return false;
  }
}

/** Reports the size of the card whenever it changes. */
export function reportSize(element: Element): void {
  let reported = "";
  new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (reported === (reported = JSON.stringify(size))) return;
    notify("ui/notifications/size-changed", size);
  }).observe(element);
}
