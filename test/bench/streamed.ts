import type { DeskPorts } from "../../src/desk/deskPorts.ts";
import { openWebSocket, type OpenSocket } from "../../src/exchange/stream/socket.ts";
import { liveAt, type TestDeskOptions } from "../support/desks/testDesk.ts";

/** The market of the streaming server: all pairs, and the tickers of a second. */
export const PAIRS = 500;
export const FRAMES_A_SECOND = 420;
export const STREAM_PATH = "/websocket-api/";

/** µs of a clock that all processes of the computer share. */
export function stamp(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The options of a desk whose exchange streams. `open` replaces the product's sockets. */
export function streamingAt(
  baseUrl: string,
  open: OpenSocket = openWebSocket,
): Pick<TestDeskOptions, "venue" | "openVenue"> & Pick<DeskPorts, "stream"> {
  const features = { tickerStream: { path: STREAM_PATH } };
  return {
    ...liveAt(baseUrl, undefined, { features }),
    stream: { open, isOn: () => true },
  };
}
