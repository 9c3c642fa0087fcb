// The settings of this page: notifications, theme, shortcuts, devices and signing out.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/api.ts";
import { eraseAll } from "../state/browser_storage.ts";
import { permission, requestPermission } from "../lib/permission.ts";
import { PairPhone } from "../remote/pair_phone.tsx";
import { Sessions } from "../remote/sessions.tsx";
import { UnencryptedPanel } from "../components/unencrypted.tsx";
import { forgetKey } from "../lib/proof.ts";
import { shortcutsOn } from "../lib/shortcuts.ts";
import { isLoopback, getState, isSecure, setState, useStore, preferences } from "../state/store.ts";
import { applyTheme } from "../lib/theme.ts";
import { withToast } from "../lib/with_toast.ts";
import type { Scope } from "../lib/types.ts";
import { locale, translate } from "../lib/i18n.ts";

/** Settings from the configuration file, which the page shows and doesn't write. */
type Settings = { file: string; keepDays: number; language?: string };

const THEMES = ["auto", "light", "dark"] as const;

export function SettingsPage(): JSX.Element {
  const muted = useStore((state) => state.day.muted);
  const [theme, setTheme] = useState(preferences.get("theme") ?? "auto");
  const [keys, setKeys] = useState(shortcutsOn());
  const [allowed, setAllowed] = useState(permission());
  const [settings, setSettings] = useState<Settings>();
  useEffect(() => {
    call<{ settings: Settings }>("GET", "status").then(({ settings }) => setSettings(settings), () => undefined);
  }, []);
  const mute = async (on: boolean) => {
    if (await withToast(call("PUT", "mute", { on }))) setState({ day: { ...getState().day, muted: on } });
  };
  const local = useStore((state) => state.viewer?.local);
  const signOut = async (path = "session") => {
    if (!(await withToast(call("DELETE", path)))) return;
    const isLocal = getState().viewer?.local ?? isLoopback;
    if (isLocal) setState({ signedOut: true, asks: new Map() });
    await Promise.all([eraseAll(), forgetKey()]);
    if (!isLocal) location.assign("/pair");
  };
  return (
    <section class="settings">
      <h1 tabIndex={-1}>{translate("settings")}</h1>
      {local && <PairPhone />}
      {!isSecure && <UnencryptedPanel />}
      {(isSecure || local) && (
        <section class="panel">
          <h2>{translate("notices")}</h2>
          <p>{translate(`notices-${allowed}`)}</p>
          {allowed === "default" && <button class="primary" onClick={() => void requestPermission().then(setAllowed)}>{translate("notify-me")}</button>}
          {local && (
            <>
              <label class="check"><input type="checkbox" checked={muted} onChange={(event) => void mute(event.currentTarget.checked)} /> {translate("mute")}</label>
              <p class="muted small">{translate("mute-says")}</p>
            </>
          )}
        </section>
      )}
      <section class="panel">
        <fieldset>
          <legend><h2>{translate("theme")}</h2></legend>
          <div class="row wrap">
            {THEMES.map((name) => (
              <label class="check">
                <input
                  type="radio" name="theme" checked={theme === name}
                  onChange={() => {
                    preferences.set("theme", name);
                    setTheme(name);
                    applyTheme();
                  }}
                /> {translate(`theme-${name}`)}
              </label>
            ))}
          </div>
        </fieldset>
      </section>
      <section class="panel">
        <h2>{translate("keys")}</h2>
        <label class="check">
          <input
            type="checkbox" checked={keys}
            onChange={(event) => {
              preferences.set("shortcuts", event.currentTarget.checked ? "on" : "off");
              setKeys(event.currentTarget.checked);
            }}
          /> {translate("shortcuts")}
        </label>
        <p class="muted small">{translate("shortcuts-says")}</p>
      </section>
      {settings && (
        <section class="panel">
          <h2>{translate("kept")}</h2>
          <p>{settings.keepDays ? translate("kept-days", { count: settings.keepDays }) : translate("kept-for-ever")}</p>
          {settings.keepDays > 0 && <p>{translate("kept-undelivered")}</p>}
          <p class="muted small">{translate("kept-how", { file: settings.file })}</p>
        </section>
      )}
      {settings && (
        <section class="panel">
          <h2>{translate("language")}</h2>
          <p>{new Intl.DisplayNames(locale, { type: "language" }).of(document.documentElement.lang)}</p>
          <p class="muted small">{translate(settings.language ? "language-set" : "language-browser", { file: settings.file })}</p>
        </section>
      )}
      <section class="panel">
        <h2>{translate(local ? "session" : "pair-this")}</h2>
        {local ? <p>{translate("session-says")}</p> : <ThisDevice />}
        <button onClick={() => void signOut()}>{translate("sign-out")}</button>
        {local && <Sessions onEndAll={() => void signOut("devices")} />}
      </section>
    </section>
  );
}

/** This device's name at the computer, and its permission. */
function ThisDevice(): JSX.Element {
  const [device, setDevice] = useState<{ name: string; scope: Scope }>();
  useEffect(() => {
    call<{ device?: { name: string; scope: Scope } }>("GET", "session").then((session) => setDevice(session.device), () => undefined);
  }, []);
  if (!device) return <p>{translate("pair-this-ends")}</p>;
  return <p><bdi>{translate(`pair-this-${device.scope}`, { name: device.name })}</bdi> {translate("pair-this-ends")}</p>;
}
