/**
 * The host asks a page for an echo to learn that the page has dealt with every message before it: messages to a page are
 * delivered in their order. The page sends the echo back as it came.
 */
export interface Echo {
  readonly type: "echo";
  readonly id: number;
}

export function isEcho(message: unknown): message is Echo {
  return typeof message === "object" && message !== null && "type" in message && message.type === "echo";
}
