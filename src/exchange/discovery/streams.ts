import type { After } from "../../time/timers.ts";
import type { OpenSocket } from "../stream/socket.ts";

/** The first frame of an order book stream can take 4.5 s. */
const FIRST_FRAME_MS = 8000;

/**
 * Whether a stream sends a matching frame within 8 s. An open connection is no proof: services accept unknown names and
 * then stay silent. Never rejects, and always closes the connection.
 */
export function sendsFrame(
  url: URL,
  matches: (text: string) => boolean,
  { openSocket, after }: { readonly openSocket: OpenSocket; readonly after: After },
): Promise<boolean> {
  const address = new URL(url);
  address.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new Promise((resolve) => {
    const end = (isFound: boolean): void => {
      cancel();
      socket.close();
      resolve(isFound);
    };
    const cancel = after(FIRST_FRAME_MS, () => end(false));
    const socket = openSocket(address, {
      opened: () => undefined,
      frame: (text) => matches(text) && end(true),
      ended: () => end(false),
    });
  });
}
