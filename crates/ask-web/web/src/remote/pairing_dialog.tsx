// How a device asks to be let in: by the link of the QR code or by its six digits, then by a number that
// the person compares with the one at the computer.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, call, why } from "../lib/api.ts";
import { codeOf, deviceName } from "../state/device.ts";
import { sendsToDrafts } from "../state/browser_storage.ts";
import { ready } from "../lib/proof.ts";
import { secure, useNow, wishes } from "../state/store.ts";
import { left } from "../lib/time.ts";
import { say } from "../lib/i18n.ts";

const RETRY_MS = 2000;
/** More than this is left only by a clock that is wrong. */
const LONGEST_MS = 10 * 60_000;
/** Where a request is kept while its page is loaded again, or its link opened again in another tab. */
const KEPT = "ask-user-knock";
/** Says that this device was let in before. */
const LET_IN = "let-in";
/** Where the name is kept that the person gave this device. */
const NAME = "device-name";

type Request = { request: string; number: string; until: string };
/** With the secret that it was made by, and when. */
type Kept = Request & { by?: string | undefined; at: number };
type End = { state: "allowed" | "refused" | "over" | "anew" };
type Stage = { at: "code"; problem?: string } | { at: "asking" } | { at: "waiting"; of: Request } | { at: End["state"] };

const wasIn = (): boolean => wishes.get(LET_IN) !== null;

/** The secret of the link works once: it is out of the address before anything else happens. */
function taken(): string | undefined {
  const secret = location.pathname === "/pair" ? location.hash.slice(1) : "";
  if (secret) history.replaceState(null, "", location.pathname);
  return secret || undefined;
}

/** `again` in place of another part of the page, which this device isn't or is no longer let in to. */
export function PairPage({ again }: { again?: boolean }): JSX.Element {
  const [stage, put] = useState<Stage>({ at: "code" });
  const [name, setName] = useState(() => wishes.get(NAME) ?? deviceName(navigator.userAgent, navigator.maxTouchPoints));
  const [offline, setOffline] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);

  const ask = async (by: { secret: string } | { code: string }) => {
    put({ at: "asking" });
    wishes.set(NAME, name);
    try {
      const of = await call<Request>("POST", "pair", { ...by, name: name.trim() || say("pair-some-device") });
      keep({ ...of, by: "secret" in by ? by.secret : undefined, at: Date.now() });
      put({ at: "waiting", of });
    } catch (error) {
      put({ at: "code", problem: problemOf(error, "code" in by) });
    }
  };
  useEffect(() => {
    const look = () => {
      const secret = taken();
      const before = kept();
      // The secret works once: who opens its link again still waits.
      if (secret && secret !== before?.by) void ask({ secret });
      else if (before) put({ at: "waiting", of: before });
    };
    look();
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);

  const request = stage.at === "waiting" ? stage.of.request : undefined;
  useEffect(() => {
    if (!request) return;
    const stop = new AbortController();
    void answer(request, stop.signal, setOffline).then(async (end) => {
      if (!end) return;
      // Another tab may have asked anew.
      if (kept()?.request === request) keep(undefined);
      put({ at: end.state });
      if (end.state !== "allowed") return;
      wishes.set(LET_IN, "yes");
      await sendsToDrafts();
      // Where it was, if it was let in before: what was typed there is still in this browser.
      if (again) location.reload();
      else location.replace("/");
    });
    return () => stop.abort();
  }, [request]);
  useEffect(() => {
    if (stage.at !== "code" && stage.at !== "asking") head.current?.focus();
  }, [stage.at]);

  return (
    <main class="signed-out pair" id="main">
      <img src="/icon.svg" alt="" width="48" height="48" />
      {!secure && <p class="notice warn small"><b>{say("pair-plain")}</b> · {say("pair-plain-why")}</p>}
      <h1 ref={head} tabIndex={-1}>{title(stage, again)}</h1>
      {(stage.at === "code" || stage.at === "asking") && <CodeForm stage={stage} name={name} onName={setName} onCode={(code) => void ask({ code })} again={again} />}
      {stage.at === "waiting" && <Waiting of={stage.of} name={name} offline={offline} />}
      {stage.at === "allowed" && <p role="status">{say("looking")}</p>}
      {(stage.at === "refused" || stage.at === "over" || stage.at === "anew") && (
        <>
          <p>{say(`pair-${stage.at}-says`)}</p>
          <p><button class="primary" onClick={() => put({ at: "code" })}>{say("pair-again")}</button></p>
        </>
      )}
    </main>
  );
}

/** What to do about it. */
function problemOf(error: unknown, typed: boolean): string {
  if (!(error instanceof Problem)) return say("pair-unreachable");
  if (error.status === 429) return say("pair-too-many");
  if (error.kind === "devices-off") return say("pair-shut-out");
  if (error.kind === "wrong-key") return typed ? wrong(error.tries) : say("pair-wrong-link");
  return why(error);
}

/** What is left to whoever typed a wrong code. */
function wrong({ triesLeft: count, anotherCode }: Problem["tries"]): string {
  if (count) return say("pair-wrong-left", { count });
  return say(count === undefined ? "pair-wrong-code" : anotherCode ? "pair-wrong-another" : "pair-wrong-link-only");
}

function title(stage: Stage, again: boolean | undefined): string {
  if (stage.at === "waiting") return say("pair-confirm", { number: stage.of.number });
  if (stage.at === "allowed" || stage.at === "refused" || stage.at === "over" || stage.at === "anew") return say(`pair-${stage.at}`);
  return say(!again ? "pair-title" : wasIn() ? "pair-ended" : "pair-not-in");
}

type FormProps = { stage: Stage & { at: "code" | "asking" }; name: string; onName: (name: string) => void; onCode: (code: string) => void; again: boolean | undefined };

function CodeForm({ stage, name, onName, onCode, again }: FormProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [malformed, setMalformed] = useState(false);
  const problem = malformed ? say("pair-six-digits") : stage.at === "code" ? stage.problem : undefined;
  useEffect(() => {
    if (!problem) return;
    field.current?.focus();
    field.current?.select();
  }, [stage, problem]);
  const send = (event: Event) => {
    event.preventDefault();
    if (stage.at === "asking") return;
    const code = codeOf(field.current?.value ?? "");
    setMalformed(!code);
    if (code) onCode(code);
    else field.current?.focus();
  };
  return (
    <>
      {again && wasIn() && <p>{say("pair-ended-says")}</p>}
      <p>{say("pair-where")}</p>
      <form class="stack" onSubmit={send} noValidate>
        <div class="field">
          <label for="pair-code">{say("pair-code")}</label>
          <input
            ref={field} id="pair-code" inputMode="numeric" autocomplete="one-time-code" autocapitalize="off" spellcheck={false}
            aria-describedby={problem ? "pair-problem" : undefined} aria-invalid={problem ? true : undefined} required
          />
        </div>
        {problem && <p class="mistake" id="pair-problem" role="alert">{problem}</p>}
        <div class="field">
          <label for="pair-name">{say("pair-name")}</label>
          <input id="pair-name" value={name} maxLength={60} autocomplete="off" onInput={(event) => onName(event.currentTarget.value)} />
        </div>
        <p><button class="primary" aria-disabled={stage.at === "asking"}>{say(stage.at === "asking" ? "pair-asking" : "pair-ask")}</button></p>
      </form>
    </>
  );
}

function Waiting({ of, name, offline }: { of: Request; name: string; offline: boolean }): JSX.Element {
  const ms = Date.parse(of.until) - useNow(1);
  return (
    <>
      <p class="pair-number" aria-hidden="true">{of.number}</p>
      <p>{say("pair-confirm-says", { name, number: of.number })}</p>
      {ms > 0 && ms < LONGEST_MS && <p class="muted"><span role="timer">{say("pair-left", { left: left(ms) })}</span></p>}
      <p class="warn" role="status">{offline ? say("pair-offline") : ""}</p>
    </>
  );
}

/** What the person at the computer says; nothing once nobody waits for it here. */
async function answer(request: string, signal: AbortSignal, offline: (is: boolean) => void): Promise<End | undefined> {
  await ready();
  while (!signal.aborted) {
    try {
      const said = await call<End | { state: "waiting" }>("GET", `pair/${encodeURIComponent(request)}`);
      offline(false);
      if (said.state === "over" || said.state === "anew") return outcome(said.state);
      if (said.state !== "waiting") return signal.aborted ? undefined : said;
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return outcome();
      offline(true);
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
  }
  return undefined;
}

/** A yes may have come in an answer that was lost on its way: then there is a session. */
const outcome = (state: "over" | "anew" = "over"): Promise<End> => call("GET", "session").then(() => ({ state: "allowed" as const }), () => ({ state }));

function keep(of: Kept | undefined): void {
  wishes.set(KEPT, JSON.stringify(of ?? null));
}

function kept(): Kept | undefined {
  const of = JSON.parse(wishes.get(KEPT) ?? "null") as Kept | null;
  return of && Date.now() - of.at < LONGEST_MS ? of : undefined;
}
