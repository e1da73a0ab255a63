/**
 * The host asks a page for an echo to learn that the page has handled all earlier messages, because messages to a
 * page arrive in order. The page returns the echo unchanged.
 */
export interface Echo {
  readonly type: "echo";
  readonly id: number;
}

export function isEcho(message: unknown): message is Echo {
  return typeof message === "object" && message !== null && "type" in message && message.type === "echo";
}
