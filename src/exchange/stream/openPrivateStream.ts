import { systemTimers, type After } from "../../time/timers.ts";
import {
  PrivateStream,
  type PrivateStreamConnection,
  type PrivateStreamEvents,
  type PrivateStreamOptions,
} from "./privateStream.ts";
import { openWebSocket, type OpenSocket } from "./socket.ts";

type Fixed = "profile" | "path" | "host" | "userAgent" | "signTime" | "now";

/** Options shared by all private streams of one client. */
interface ClientParts extends Pick<PrivateStreamOptions, Fixed> {
  /** Default: over the network. */
  readonly openSocket?: OpenSocket;
  readonly after?: After;
}

/** Connects once. Never throws: failures are reported to `events`. */
export type OpenPrivateStream = (
  events: PrivateStreamEvents,
  options: Pick<PrivateStreamOptions, "nameOf" | "mayStillSend">,
) => PrivateStreamConnection;

/** Opens the private stream of a client. */
export function privateStreamOf({
  openSocket: open = openWebSocket,
  after = systemTimers.after,
  ...parts
}: ClientParts): OpenPrivateStream {
  return (events, options) => new PrivateStream({ ...parts, ...options, open, after }, events);
}
