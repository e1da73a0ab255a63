import type { After } from "../../time/timers.ts";
import { routeIn } from "../paths.ts";
import type { OpenSocket } from "../stream/socket.ts";

const CONNECT_MS = 5000;

/** All known private streams have this path. */
export const PRIVATE_STREAM_PATH = routeIn("B", "privateStream").path;

/**
 * Whether a host accepts connections to a private stream within 5 s. Nothing is sent, so this does not prove that the key
 * works there. Never rejects.
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
    const cancel = after(CONNECT_MS, () => end(false));
    const socket = openSocket(url, {
      opened: () => end(true),
      frame: () => undefined,
      ended: () => end(false),
    });
  });
}
