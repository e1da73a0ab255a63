import type { After } from "../http/after.ts";
import type { OpenSocket } from "../stream/socket.ts";

/** The first frame of an order book may take 4.5 s. */
const FIRST_FRAME_MS = 8000;

/**
 * Whether a stream sends a frame that is its own. A wrong name may be accepted and stay silent, so an open connection
 * proves nothing. Never rejects; the connection is closed in any case.
 */
export function firstFrame(
  url: URL,
  isIts: (text: string) => boolean,
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
      frame: (text) => isIts(text) && end(true),
      ended: () => end(false),
    });
  });
}
