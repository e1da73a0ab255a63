import type { StreamFaults } from "./faults.ts";

/** An open stream, over any network. Sends nothing once closed. */
export interface PracticeSocket {
  send(data: string | Uint8Array): void;
  ping(): void;
  pong(): void;
  /** Closes the stream with a WebSocket close code. */
  close(code: number): void;
  /** Terminates the connection without a close frame. */
  drop(): void;
}

/** Runs `task` once after `ms`; the returned function cancels it. */
export type PracticeTimer = (ms: number, task: () => void) => () => void;

/** Number of buffered frames; the oldest is resent as the old frame. */
const REMEMBERED = 50;

/** Sends frames with injected faults. */
export class Outlet {
  readonly #socket: PracticeSocket;
  readonly #faults: Readonly<StreamFaults>;
  readonly #after: PracticeTimer;
  readonly #earlier: string[] = [];
  #count = 0;
  #isClosed = false;

  constructor(socket: PracticeSocket, faults: Readonly<StreamFaults>, after: PracticeTimer) {
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

  /** The connection is gone: drops delayed frames. */
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

/** Garbage: a truncated frame, an HTML page, other JSON, bytes. */
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
