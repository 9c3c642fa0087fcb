// What a person sets for this page: notifications, looks, keys, and leaving.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { eraseAll } from "../state/browser_storage.ts";
import { permission, wantNotices } from "../lib/permission.ts";
import { Phones } from "../remote/pair_phone.tsx";
import { Sessions } from "../remote/sessions.tsx";
import { PlainPanel } from "../components/unencrypted.tsx";
import { forgetKey } from "../lib/proof.ts";
import { shortcutsOn } from "../lib/shortcuts.ts";
import { atComputer, get, secure, set, useStore, wishes } from "../state/store.ts";
import { applyTheme } from "../lib/theme.ts";
import { tried } from "../lib/with_toast.ts";
import type { Scope } from "../lib/types.ts";
import { locale, say } from "../lib/i18n.ts";

/** Settings that lie in a file, which the page tells of and does not write. */
type Settings = { file: string; keepDays: number; language?: string };

const THEMES = ["auto", "light", "dark"] as const;

export function SettingsPage(): JSX.Element {
  const muted = useStore((state) => state.day.muted);
  const [theme, setTheme] = useState(wishes.get("theme") ?? "auto");
  const [keys, setKeys] = useState(shortcutsOn());
  const [allowed, setAllowed] = useState(permission());
  const [held, hold] = useState<Settings>();
  useEffect(() => {
    call<{ settings: Settings }>("GET", "status").then(({ settings }) => hold(settings), () => undefined);
  }, []);
  const mute = async (on: boolean) => {
    if (await tried(call("PUT", "mute", { on }))) set({ day: { ...get().day, muted: on } });
  };
  const local = useStore((state) => state.viewer?.local);
  const leave = async (what = "session") => {
    if (!(await tried(call("DELETE", what)))) return;
    const here = get().viewer?.local ?? atComputer;
    if (here) set({ signedOut: true, asks: new Map() });
    await Promise.all([eraseAll(), forgetKey()]);
    if (!here) location.assign("/pair");
  };
  return (
    <section class="settings">
      <h1 tabIndex={-1}>{say("settings")}</h1>
      {local && <Phones />}
      {!secure && <PlainPanel />}
      {(secure || local) && (
        <section class="panel">
          <h2>{say("notices")}</h2>
          <p>{say(`notices-${allowed}`)}</p>
          {allowed === "default" && <button class="primary" onClick={() => void wantNotices().then(setAllowed)}>{say("notify-me")}</button>}
          {local && (
            <>
              <label class="check"><input type="checkbox" checked={muted} onChange={(event) => void mute(event.currentTarget.checked)} /> {say("mute")}</label>
              <p class="muted small">{say("mute-says")}</p>
            </>
          )}
        </section>
      )}
      <section class="panel">
        <fieldset>
          <legend><h2>{say("theme")}</h2></legend>
          <div class="row wrap">
            {THEMES.map((name) => (
              <label class="check">
                <input
                  type="radio" name="theme" checked={theme === name}
                  onChange={() => {
                    wishes.set("theme", name);
                    setTheme(name);
                    applyTheme();
                  }}
                /> {say(`theme-${name}`)}
              </label>
            ))}
          </div>
        </fieldset>
      </section>
      <section class="panel">
        <h2>{say("keys")}</h2>
        <label class="check">
          <input
            type="checkbox" checked={keys}
            onChange={(event) => {
              wishes.set("shortcuts", event.currentTarget.checked ? "on" : "off");
              setKeys(event.currentTarget.checked);
            }}
          /> {say("shortcuts")}
        </label>
        <p class="muted small">{say("shortcuts-says")}</p>
      </section>
      {held && (
        <section class="panel">
          <h2>{say("kept")}</h2>
          <p>{held.keepDays ? say("kept-days", { count: held.keepDays }) : say("kept-for-ever")}</p>
          {held.keepDays > 0 && <p>{say("kept-undelivered")}</p>}
          <p class="muted small">{say("kept-how", { file: held.file })}</p>
        </section>
      )}
      {held && (
        <section class="panel">
          <h2>{say("language")}</h2>
          <p>{new Intl.DisplayNames(locale, { type: "language" }).of(document.documentElement.lang)}</p>
          <p class="muted small">{say(held.language ? "language-set" : "language-browser", { file: held.file })}</p>
        </section>
      )}
      <section class="panel">
        <h2>{say(local ? "session" : "pair-this")}</h2>
        {local ? <p>{say("session-says")}</p> : <This />}
        <button onClick={() => void leave()}>{say("sign-out")}</button>
        {local && <Sessions onEndAll={() => void leave("devices")} />}
      </section>
    </section>
  );
}

/** What this device is called at the computer, and what it may do. */
function This(): JSX.Element {
  const [device, put] = useState<{ name: string; scope: Scope }>();
  useEffect(() => {
    call<{ device?: { name: string; scope: Scope } }>("GET", "session").then((session) => put(session.device), () => undefined);
  }, []);
  if (!device) return <p>{say("pair-this-ends")}</p>;
  return <p><bdi>{say(`pair-this-${device.scope}`, { name: device.name })}</bdi> {say("pair-this-ends")}</p>;
}
