import { afterTime, type After } from "../http/after.ts";
import type { PrivateStreamConnection, PrivateStreamEvents, PrivateStreamOptions } from "./privateStream.ts";
import type { OpenSocket } from "./socket.ts";

type Fixed = "profile" | "path" | "signTime" | "now";

/** What every private stream of one client has. */
interface ClientParts extends Pick<PrivateStreamOptions, Fixed> {
  /** Default: over the network. */
  readonly openSocket?: OpenSocket;
  readonly after?: After;
}

/** Connects once. Rejects only if the code cannot be loaded: what happens to the connection is told to `events`. */
export type OpenPrivateStream = (
  events: PrivateStreamEvents,
  options: Pick<PrivateStreamOptions, "nameOf" | "mayStillGo">,
) => Promise<PrivateStreamConnection>;

/** Opens the private stream of a client. Its code is loaded at the first use. */
export function privateStreamOf({ openSocket, after = afterTime, ...parts }: ClientParts): OpenPrivateStream {
  return async (events, options) => {
    const { PrivateStream } = await import("./privateStream.ts");
    const open = openSocket ?? (await import("./socket.ts")).openWebSocket;
    return new PrivateStream({ ...parts, ...options, open, after }, events);
  };
}
