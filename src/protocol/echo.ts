/**
 * The host asks a page for an echo to learn that the page has handled all earlier messages, because messages to a
 * page arrive in order. The page returns the echo unchanged.
 */
export interface Echo {
  readonly type: "echo";
  readonly id: number;
}

/** The host sends this to every visible page at this interval, so that a page notices when its host is gone. */
export interface Beat {
  readonly type: "beat";
}
export const BEAT_MS = 3000;

/** The only command that a page may run: without its host, reloading the window is the one way to get it back. */
export const RELOAD_COMMAND = "workbench.action.reloadWindow";

export function isEcho(message: unknown): message is Echo {
  return typeof message === "object" && message !== null && "type" in message && message.type === "echo";
}
