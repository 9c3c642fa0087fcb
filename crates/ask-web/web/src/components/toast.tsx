// What was just done, for eyes and for screen readers.
import type { JSX } from "preact";
import { unsay, useStore } from "../state/store.ts";
import { say } from "../lib/i18n.ts";

export function Said(): JSX.Element {
  const { toasts, polite, urgent, politely, urgently } = useStore((state) => state);
  return (
    <>
      <div class="toasts stack">
        {toasts.map((one) => (
          <div key={one} class="toast">
            <span>{one.text}</span>
            {!CHAT && one.action && (
              <button
                aria-label={`${one.action.label}: ${one.text}`}
                onClick={() => {
                  unsay(one);
                  one.action?.run();
                }}
              >
                {one.action.label}
              </button>
            )}
            <button class="quiet" aria-label={say("close")} onClick={() => unsay(one)}>×</button>
          </div>
        ))}
      </div>
      <div class="vh" role="status" aria-live="polite"><p key={politely}>{polite}</p></div>
      <div class="vh" role="alert"><p key={urgently}>{urgent}</p></div>
    </>
  );
}
