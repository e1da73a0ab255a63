/**
 * The host requests an echo to learn that the page has handled all earlier messages, which arrive in order. The page
 * returns it unchanged.
 */
export interface Echo {
  readonly type: "echo";
  readonly id: number;
}

/** Heartbeat to every visible page, so that a page notices when its host is gone. */
export interface Beat {
  readonly type: "beat";
}
export const BEAT_MS = 3000;

/** The only command a page may run: without its host, reloading the window is the only way to recover. */
export const RELOAD_COMMAND = "workbench.action.reloadWindow";

export function isEcho(message: unknown): message is Echo {
  return typeof message === "object" && message !== null && "type" in message && message.type === "echo";
}
