import { BEAT_MS } from "../protocol/echo.ts";
import { element } from "./dom.ts";

/** Three missed heartbeats. */
const SILENT_AFTER_MS = 3 * BEAT_MS + 1000;
const CHECK_MS = 1000;

/**
 * Shows a notice when the host has been silent for 10 s, and hides it at the host's next message. `changed` is called
 * with true when silence begins and with false when it ends. Silence is counted in checks, not in clock time, because a
 * computer that slept has missed one check, not an hour of heartbeats.
 */
export function onHostSilence(changed: (isSilent: boolean) => void): void {
  const note = element("silent", HTMLElement);
  let missed = 0;
  const show = (isSilent: boolean): void => {
    if (isSilent !== note.hidden) return;
    note.hidden = !isSilent;
    document.body.classList.toggle("silent", isSilent);
    changed(isSilent);
  };
  window.addEventListener("message", () => {
    missed = 0;
    show(false);
  });
  setInterval(() => show((missed += CHECK_MS) >= SILENT_AFTER_MS), CHECK_MS);
}
