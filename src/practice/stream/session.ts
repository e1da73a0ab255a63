/** An open stream, over any network. Sends nothing once closed. */
export interface PracticeSocket {
  send(text: string): void;
  ping(): void;
  /** Closes the stream with a WebSocket close code. */
  close(code: number): void;
}

export const TICKS_PER_SECOND = 10;

/** Logic of one stream. `tick` counts tenths of a second. */
export interface StreamSession {
  /** `now` is the exchange's time in ms. */
  tick(tick: number, now: number): void;
  /** A text frame of the client. Missing: the path is the subscription, and messages are ignored. */
  received?(text: string, now: number): void;
  /** The connection has ended. */
  ended?(): void;
}
