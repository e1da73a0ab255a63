import type { StreamKind } from "../../../src/practice/stream/address.ts";
import type { PracticeSocket } from "../../../src/practice/stream/session.ts";
import type { After } from "../../../src/time/timers.ts";
import type { StreamEvents } from "../../../src/practice/stream/streams.ts";

/** Faults of all streams. Fields may be changed at any time. */
export interface StreamFaults {
  /**
   * `silent`: no frames, only the server's pings. `stalled`: nothing at all, and client messages get no response, as if the
   * network dropped both directions.
   */
  flow: "usual" | "silent" | "stalled";
  /** How often each frame is sent: 2 duplicates every frame, 100 is a flood. */
  copies: number;
  /** Number of frames after which an old one is sent again; 0: never. */
  oldEvery: number;
  /** Number of frames after which garbage is sent; 0: never. */
  garbageEvery: number;
  /** Delay of every frame in ms, as over a slow connection. */
  delayMs: number;
  /** How often per second each `global.ticker` is sent: 47 other pairs, so 4 are about 200 frames. */
  noise: number;
  /** Factor applied to every streamed last price; 1: correct. */
  priceFactor: number;
  /** Response to every attempt to open a stream, with an optional Location header; undefined: streams open. */
  refusal: { readonly status: number; readonly location?: string } | undefined;
}

export function noStreamFaults(): StreamFaults {
  return {
    flow: "usual",
    copies: 1,
    oldEvery: 0,
    garbageEvery: 0,
    delayMs: 0,
    noise: 1,
    priceFactor: 1,
    refusal: undefined,
  };
}

/** The client's end of a relayed stream. */
export interface ClientSocket extends Omit<PracticeSocket, "send"> {
  send(data: string | Uint8Array): void;
  /** Terminates the connection without a close frame. */
  drop(): void;
}

/** Relays streams between clients and the exchange, over any network, with injected faults. */
export class FaultyStreams {
  readonly faults = noStreamFaults();
  readonly #after: After;
  readonly #open = new Set<{ readonly kind: StreamKind; readonly client: ClientSocket }>();
  readonly #opened: Record<StreamKind, number> = { ticker: 0, book: 0, private: 0 };

  constructor(after: After) {
    this.#after = after;
  }

  /** Number of streams opened so far, by kind. */
  get opened(): Readonly<Record<StreamKind, number>> {
    return this.#opened;
  }

  /** Number of open streams of this kind. */
  count(kind: StreamKind): number {
    return [...this.#open].filter((each) => each.kind === kind).length;
  }

  /** Terminates all streams, or those of one kind. New ones may be opened. */
  drop(kind?: StreamKind): void {
    for (const stream of this.#open) if (kind === undefined || stream.kind === kind) stream.client.drop();
  }

  /** Relays a new stream. `connect` opens it at the exchange, which sends to the given socket. */
  relay(
    kind: StreamKind,
    client: ClientSocket,
    connect: (socket: PracticeSocket) => StreamEvents,
  ): StreamEvents {
    const faulty = new FaultySocket(client, this.faults, this.#after);
    const server = connect(faulty);
    const stream = { kind, client };
    this.#open.add(stream);
    this.#opened[kind] += 1;
    return {
      received: (text) => {
        if (this.faults.flow !== "stalled") server.received(text);
      },
      ended: () => {
        this.#open.delete(stream);
        faulty.ended();
        server.ended();
      },
    };
  }
}

/** Number of buffered frames; the oldest is resent as the old frame. */
const REMEMBERED = 50;

class FaultySocket implements PracticeSocket {
  readonly #client: ClientSocket;
  readonly #faults: Readonly<StreamFaults>;
  readonly #after: After;
  readonly #earlier: string[] = [];
  #count = 0;
  #isClosed = false;

  constructor(client: ClientSocket, faults: Readonly<StreamFaults>, after: After) {
    this.#client = client;
    this.#faults = faults;
    this.#after = after;
  }

  send(frame: string): void {
    const { flow, noise, priceFactor } = this.#faults;
    if (flow !== "usual") return;
    const text = priceFactor === 1 ? frame : withPriceTimes(priceFactor, frame);
    const times = frame.startsWith('{"event":"global.ticker"') ? noise : 1;
    for (let sent = 0; sent < times; sent++) this.#sendWithFaults(text);
  }

  ping(): void {
    if (this.#faults.flow !== "stalled") this.#client.ping();
  }

  close(code: number): void {
    this.#isClosed = true;
    this.#client.close(code);
  }

  /** The connection is gone: drops delayed frames. */
  ended(): void {
    this.#isClosed = true;
  }

  #sendWithFaults(text: string): void {
    const { copies, oldEvery, garbageEvery } = this.#faults;
    for (let copy = 0; copy < copies; copy++) this.#write(text);
    this.#count += 1;
    if (isTurn(this.#count, oldEvery)) this.#write(this.#earlier[0] ?? text);
    if (isTurn(this.#count, garbageEvery)) this.#write(garbage(text, this.#count / garbageEvery));
    this.#earlier.push(text);
    if (this.#earlier.length > REMEMBERED) this.#earlier.shift();
  }

  #write(data: string | Uint8Array): void {
    const { delayMs } = this.#faults;
    if (delayMs === 0) this.#client.send(data);
    else
      this.#after(delayMs, () => {
        if (!this.#isClosed) this.#client.send(data);
      });
  }
}

function isTurn(count: number, every: number): boolean {
  return every > 0 && count % every === 0;
}

function withPriceTimes(factor: number, frame: string): string {
  return frame.replace(/"last":([^,]+)/, (_, last: string) => `"last":${Number(last) * factor}`);
}

/** Garbage: a truncated frame, one with an impossible price or too much text, an HTML page, other JSON, bytes. */
function garbage(frame: string, turn: number): string | Uint8Array {
  const priced = (last: string): string => frame.replace(/"last":[^,]+/, `"last":${last}`);
  const kinds = [
    frame.slice(0, Math.ceil(frame.length / 2)),
    ...["0", "-1", "1e400", '"1,5"', '"<b>1</b>"', "null"].map(priced),
    frame.replace(/ticker\.\w+/, "ticker.__proto__"),
    `${frame.slice(0, -1)},"note":"${"x".repeat(20_000)}"}`,
    "[".repeat(50_000),
    "<!doctype html><html><body><h1>Service unavailable</h1></body></html>",
    "null",
    Uint8Array.from([0, 159, 146, 150]),
    '{"stream":{"last":[]}}',
    "",
  ];
  return kinds[turn % kinds.length] ?? "";
}
