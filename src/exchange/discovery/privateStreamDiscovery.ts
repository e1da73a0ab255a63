import type { After } from "../http/after.ts";
import type { OpenSocket } from "../stream/socket.ts";

const OPENED_MS = 5000;

/** The path of every known private stream. */
export const PRIVATE_STREAM_PATH = "/v3/private";

/**
 * Whether a private stream accepts connections at this host. Nothing is sent: only a key's owner could prove that
 * it works. Never rejects.
 */
export function acceptsPrivateStream(
  host: string,
  isSecure: boolean,
  { openSocket, after }: { readonly openSocket: OpenSocket; readonly after: After },
): Promise<boolean> {
  const url = new URL(`${isSecure ? "wss" : "ws"}://${host}${PRIVATE_STREAM_PATH}`);
  return new Promise((resolve) => {
    const end = (isOpen: boolean): void => {
      cancel();
      socket.close();
      resolve(isOpen);
    };
    const cancel = after(OPENED_MS, () => end(false));
    const socket = openSocket(url, {
      opened: () => end(true),
      frame: () => undefined,
      ended: () => end(false),
    });
  });
}
