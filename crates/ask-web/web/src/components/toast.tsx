// Shows toasts, and passes texts to screen readers.
import type { JSX } from "preact";
import { dismissToast, useStore } from "../state/store.ts";
import { translate } from "../lib/i18n.ts";

export function Toasts(): JSX.Element {
  const { toasts, polite, urgent, politeCount, urgentCount } = useStore((state) => state);
  return (
    <>
      <div class="toasts stack">
        {toasts.map((toast) => (
          <div key={toast} class="toast">
            <span>{toast.text}</span>
            {!CHAT && toast.action && (
              <button
                aria-label={`${toast.action.label}: ${toast.text}`}
                onClick={() => {
                  dismissToast(toast);
                  toast.action?.run();
                }}
              >
                {toast.action.label}
              </button>
            )}
            <button class="quiet" aria-label={translate("close")} onClick={() => dismissToast(toast)}>×</button>
          </div>
        ))}
      </div>
      <div class="vh" role="status" aria-live="polite"><p key={politeCount}>{polite}</p></div>
      <div class="vh" role="alert"><p key={urgentCount}>{urgent}</p></div>
    </>
  );
}
