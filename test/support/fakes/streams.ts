import type { OpenSocket, SocketEvents, StreamEnd } from "../../../src/exchange/stream/socket.ts";

/** A requested connection. The test decides what the server does. */
export interface FakeSocket {
  readonly url: URL;
  readonly sent: string[];
  /** Number of pings of the client. */
  pings: number;
  /** Closed by its client. */
  isClosed: boolean;
  open(): void;
  frame(...texts: readonly string[]): void;
  pong(): void;
  end(end?: Partial<StreamEnd>): void;
}

/** Sockets without a network. Closed sockets receive nothing, like real ones, unless `isLate`. */
export class FakeStreams {
  readonly all: FakeSocket[] = [];

  /** Open sockets. */
  get current(): FakeSocket[] {
    return this.all.filter(({ isClosed }) => !isClosed);
  }

  readonly open: OpenSocket = (url, events) => {
    const socket = fakeSocket(url, events);
    this.all.push(socket);
    return {
      send: (text) => socket.sent.push(text),
      ping: () => (socket.pings += 1),
      close: () => (socket.isClosed = true),
    };
  };
}

function fakeSocket(url: URL, events: SocketEvents): FakeSocket {
  const emit = (task: () => void): void => {
    if (!socket.isClosed) task();
  };
  const socket: FakeSocket = {
    url,
    sent: [],
    pings: 0,
    isClosed: false,
    open: () => emit(events.opened),
    pong: () => emit(() => events.pong?.()),
    frame: (...texts) => texts.forEach((text) => emit(() => events.frame(text))),
    end: (end) =>
      emit(() => {
        socket.isClosed = true;
        events.ended({ reason: "lost", detail: "closed (1006)", ...end });
      }),
  };
  return socket;
}

/** Price and size of one side's levels: numbers, texts and anything else. */
export type FrameLevels = readonly (readonly [price: unknown, size: unknown])[];

/** A frame with the whole book of a pair. */
export function depthFrame(pairingId: unknown, asks: FrameLevels, bids: FrameLevels): string {
  const levels = (side: FrameLevels): unknown =>
    side.map(([price, size]) => ({ price, base_volume: size, quote_volume: 1 }));
  const data = { bids: levels(bids), asks: levels(asks) };
  return JSON.stringify({ event: "depthchanged", data, pairing_id: pairingId });
}

/** A frame with the newest trades of a pair: seconds, rate, size and side. */
export function tradesFrame(pairingId: unknown, ...trades: readonly (readonly unknown[])[]): string {
  const rows = trades.map((trade) => [...trade, 0, 0, true, false, false]);
  return JSON.stringify({ event: "tradeschanged", data: [rows, [], []], pairing_id: pairingId });
}

/** A frame of the ticker stream for `THB_BTC` and the like. */
export function tickerFrame(
  symbol: string,
  last: number | string,
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    stream: `market.ticker.${symbol.toLowerCase()}`,
    id: 1,
    last,
    lowestAsk: last,
    highestBid: last,
    percentChange: 0,
    baseVolume: 1,
    quoteVolume: 1,
    isFrozen: 0,
    high24hr: last,
    low24hr: last,
    ...more,
  });
}
