// The page on which a device asks to be paired: by the link of the QR code or by its six digits. Then the person compares a
// number with the one at the computer.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, call, errorText } from "../lib/api.ts";
import { parseCode, deviceName } from "../state/device.ts";
import { sendsToDrafts } from "../state/browser_storage.ts";
import { ensureKey } from "../lib/proof.ts";
import { isSecure, useNow, preferences } from "../state/store.ts";
import { formatCountdown } from "../lib/time.ts";
import { translate } from "../lib/i18n.ts";

const RETRY_MS = 2000;
/** A longer time left means that a clock is wrong. */
const MAX_WAIT_MS = 10 * 60_000;
/** Stores a request, so that it survives a reload and is found by another tab that opens the same link. The name is that of earlier versions. */
const STORED_REQUEST = "ask-user-knock";
/** Stores that this device was paired before. */
const WAS_PAIRED = "let-in";
/** Stores the name that the person gave this device. */
const DEVICE_NAME = "device-name";

type OwnRequest = { request: string; number: string; until: string };
/** A request with the secret that it used, and its time. */
type StoredRequest = OwnRequest & { by?: string | undefined; at: number };
type RequestEnd = { state: "allowed" | "refused" | "over" | "anew" };
type PairingStep = { at: "code"; problem?: string } | { at: "asking" } | { at: "waiting"; request: OwnRequest } | { at: RequestEnd["state"] };

const wasPaired = (): boolean => preferences.get(WAS_PAIRED) !== null;

/** Takes the link's secret out of the address. It works only once. */
function takeSecret(): string | undefined {
  const secret = location.pathname === "/pair" ? location.hash.slice(1) : "";
  if (secret) history.replaceState(null, "", location.pathname);
  return secret || undefined;
}

/** `replacesPage`: whether it replaces another page, because this device isn't paired, or isn't any more. */
export function PairPage({ replacesPage }: { replacesPage?: boolean }): JSX.Element {
  const [step, setStep] = useState<PairingStep>({ at: "code" });
  const [name, setName] = useState(() => preferences.get(DEVICE_NAME) ?? deviceName(navigator.userAgent, navigator.maxTouchPoints));
  const [offline, setOffline] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);

  const ask = async (by: { secret: string } | { code: string }) => {
    setStep({ at: "asking" });
    preferences.set(DEVICE_NAME, name);
    try {
      const request = await call<OwnRequest>("POST", "pair", { ...by, name: name.trim() || translate("pair-some-device") });
      storeRequest({ ...request, by: "secret" in by ? by.secret : undefined, at: Date.now() });
      setStep({ at: "waiting", request });
    } catch (error) {
      setStep({ at: "code", problem: problemText(error, "code" in by) });
    }
  };
  useEffect(() => {
    const readLink = () => {
      const secret = takeSecret();
      const before = storedRequest();
      // The secret works only once. If the same link is opened again, the page goes on waiting.
      if (secret && secret !== before?.by) void ask({ secret });
      else if (before) setStep({ at: "waiting", request: before });
    };
    readLink();
    addEventListener("hashchange", readLink);
    return () => removeEventListener("hashchange", readLink);
  }, []);

  const request = step.at === "waiting" ? step.request.request : undefined;
  useEffect(() => {
    if (!request) return;
    const stop = new AbortController();
    void waitForDecision(request, stop.signal, setOffline).then(async (end) => {
      if (!end) return;
      // Another tab may have made a new request.
      if (storedRequest()?.request === request) storeRequest(undefined);
      setStep({ at: end.state });
      if (end.state !== "allowed") return;
      preferences.set(WAS_PAIRED, "yes");
      await sendsToDrafts();
      // A device that was paired before stays on its page, where what was typed is still stored.
      if (replacesPage) location.reload();
      else location.replace("/");
    });
    return () => stop.abort();
  }, [request]);
  useEffect(() => {
    if (step.at !== "code" && step.at !== "asking") head.current?.focus();
  }, [step.at]);

  return (
    <main class="signed-out pair" id="main">
      <img src="/icon.svg" alt="" width="48" height="48" />
      {!isSecure && <p class="notice warn small"><b>{translate("pair-plain")}</b> · {translate("pair-plain-why")}</p>}
      <h1 ref={head} tabIndex={-1}>{title(step, replacesPage)}</h1>
      {(step.at === "code" || step.at === "asking") && <CodeForm step={step} name={name} onName={setName} onCode={(code) => void ask({ code })} replacesPage={replacesPage} />}
      {step.at === "waiting" && <Waiting request={step.request} name={name} offline={offline} />}
      {step.at === "allowed" && <p role="status">{translate("looking")}</p>}
      {(step.at === "refused" || step.at === "over" || step.at === "anew") && (
        <>
          <p>{translate(`pair-${step.at}-says`)}</p>
          <p><button class="primary" onClick={() => setStep({ at: "code" })}>{translate("pair-again")}</button></p>
        </>
      )}
    </main>
  );
}

/** The text about a failed request. */
function problemText(error: unknown, typed: boolean): string {
  if (!(error instanceof Problem)) return translate("pair-unreachable");
  if (error.status === 429) return translate("pair-too-many");
  if (error.kind === "devices-off") return translate("pair-shut-out");
  if (error.kind === "wrong-key") return typed ? wrongCodeText(error.tries) : translate("pair-wrong-link");
  return errorText(error);
}

/** The text about a wrong code: how many attempts are left. */
function wrongCodeText({ triesLeft: count, anotherCode }: Problem["tries"]): string {
  if (count) return translate("pair-wrong-left", { count });
  return translate(count === undefined ? "pair-wrong-code" : anotherCode ? "pair-wrong-another" : "pair-wrong-link-only");
}

function title(step: PairingStep, replacesPage: boolean | undefined): string {
  if (step.at === "waiting") return translate("pair-confirm", { number: step.request.number });
  if (step.at === "allowed" || step.at === "refused" || step.at === "over" || step.at === "anew") return translate(`pair-${step.at}`);
  return translate(!replacesPage ? "pair-title" : wasPaired() ? "pair-ended" : "pair-not-in");
}

type FormProps = { step: PairingStep & { at: "code" | "asking" }; name: string; onName: (name: string) => void; onCode: (code: string) => void; replacesPage: boolean | undefined };

function CodeForm({ step, name, onName, onCode, replacesPage }: FormProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [malformed, setMalformed] = useState(false);
  const problem = malformed ? translate("pair-six-digits") : step.at === "code" ? step.problem : undefined;
  useEffect(() => {
    if (!problem) return;
    field.current?.focus();
    field.current?.select();
  }, [step, problem]);
  const send = (event: Event) => {
    event.preventDefault();
    if (step.at === "asking") return;
    const code = parseCode(field.current?.value ?? "");
    setMalformed(!code);
    if (code) onCode(code);
    else field.current?.focus();
  };
  return (
    <>
      {replacesPage && wasPaired() && <p>{translate("pair-ended-says")}</p>}
      <p>{translate("pair-where")}</p>
      <form class="stack" onSubmit={send} noValidate>
        <div class="field">
          <label for="pair-code">{translate("pair-code")}</label>
          <input
            ref={field} id="pair-code" inputMode="numeric" autocomplete="one-time-code" autocapitalize="off" spellcheck={false}
            aria-describedby={problem ? "pair-problem" : undefined} aria-invalid={problem ? true : undefined} required
          />
        </div>
        {problem && <p class="mistake" id="pair-problem" role="alert">{problem}</p>}
        <div class="field">
          <label for="pair-name">{translate("pair-name")}</label>
          <input id="pair-name" value={name} maxLength={60} autocomplete="off" onInput={(event) => onName(event.currentTarget.value)} />
        </div>
        <p><button class="primary" aria-disabled={step.at === "asking"}>{translate(step.at === "asking" ? "pair-asking" : "pair-ask")}</button></p>
      </form>
    </>
  );
}

function Waiting({ request, name, offline }: { request: OwnRequest; name: string; offline: boolean }): JSX.Element {
  const ms = Date.parse(request.until) - useNow(1);
  return (
    <>
      <p class="pair-number" aria-hidden="true">{request.number}</p>
      <p>{translate("pair-confirm-says", { name, number: request.number })}</p>
      {ms > 0 && ms < MAX_WAIT_MS && <p class="muted"><span role="timer">{translate("pair-left", { left: formatCountdown(ms) })}</span></p>}
      <p class="warn" role="status">{offline ? translate("pair-offline") : ""}</p>
    </>
  );
}

/** Waits for the decision at the computer. Resolves to undefined once it is aborted. */
async function waitForDecision(request: string, signal: AbortSignal, setOffline: (isOffline: boolean) => void): Promise<RequestEnd | undefined> {
  await ensureKey();
  while (!signal.aborted) {
    try {
      const reply = await call<RequestEnd | { state: "waiting" }>("GET", `pair/${encodeURIComponent(request)}`);
      setOffline(false);
      if (reply.state === "over" || reply.state === "anew") return checkSession(reply.state);
      if (reply.state !== "waiting") return signal.aborted ? undefined : reply;
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return checkSession();
      setOffline(true);
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
  return undefined;
}

/** The reply that allowed the request may have been lost. Then there is a session. */
const checkSession = (state: "over" | "anew" = "over"): Promise<RequestEnd> => call("GET", "session").then(() => ({ state: "allowed" as const }), () => ({ state }));

function storeRequest(request: StoredRequest | undefined): void {
  preferences.set(STORED_REQUEST, JSON.stringify(request ?? null));
}

function storedRequest(): StoredRequest | undefined {
  const request = JSON.parse(preferences.get(STORED_REQUEST) ?? "null") as StoredRequest | null;
  return request && Date.now() - request.at < MAX_WAIT_MS ? request : undefined;
}
