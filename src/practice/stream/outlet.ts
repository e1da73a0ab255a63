import type { StreamFaults } from "./faults.ts";

/** One open stream, over whatever network. Nothing is sent after it closed. */
export interface StreamSocket {
  send(data: string | Uint8Array): void;
  ping(): void;
  pong(): void;
  /** Ends the stream with a close code of WebSocket. */
  close(code: number): void;
  /** Breaks the connection off, without a farewell. */
  drop(): void;
}

/** Runs `task` once, `ms` from now; the returned function cancels it. */
export type After = (ms: number, task: () => void) => () => void;

/** How many frames are remembered, the oldest of which is an old frame. */
const REMEMBERED = 50;

/** Sends frames as the faults have them. */
export class Outlet {
  readonly #socket: StreamSocket;
  readonly #faults: Readonly<StreamFaults>;
  readonly #after: After;
  readonly #earlier: string[] = [];
  #count = 0;
  #isClosed = false;

  constructor(socket: StreamSocket, faults: Readonly<StreamFaults>, after: After) {
    this.#socket = socket;
    this.#faults = faults;
    this.#after = after;
  }

  send(frame: unknown): void {
    const { flow, copies, oldEvery, garbageEvery } = this.#faults;
    if (flow !== "usual") return;
    const text = JSON.stringify(frame);
    for (let copy = 0; copy < copies; copy++) this.#write(text);
    this.#count += 1;
    if (isTurn(this.#count, oldEvery)) this.#write(this.#earlier[0] ?? text);
    if (isTurn(this.#count, garbageEvery)) this.#write(garbage(text, this.#count / garbageEvery));
    this.#earlier.push(text);
    if (this.#earlier.length > REMEMBERED) this.#earlier.shift();
  }

  ping(): void {
    if (this.#faults.flow !== "stalled") this.#socket.ping();
  }

  pong(): void {
    if (this.#faults.flow !== "stalled") this.#socket.pong();
  }

  close(code: number): void {
    this.#isClosed = true;
    this.#socket.close(code);
  }

  /** The connection is gone: what was delayed is not sent. */
  ended(): void {
    this.#isClosed = true;
  }

  #write(data: string | Uint8Array): void {
    const { delayMs } = this.#faults;
    if (delayMs === 0) this.#socket.send(data);
    else
      this.#after(delayMs, () => {
        if (!this.#isClosed) this.#socket.send(data);
      });
  }
}

function isTurn(count: number, every: number): boolean {
  return every > 0 && count % every === 0;
}

/** What no service sends on purpose: a part of a frame, a page, other JSON, bytes. */
function garbage(frame: string, turn: number): string | Uint8Array {
  const kinds = [
    frame.slice(0, Math.ceil(frame.length / 2)),
    "<!doctype html><html><body><h1>Service unavailable</h1></body></html>",
    "null",
    Uint8Array.from([0, 159, 146, 150]),
    '{"stream":{"last":[]}}',
    "",
  ];
  return kinds[turn % kinds.length] ?? "";
}
