/** The streams of this exchange. */
export const streamKinds = ["ticker", "book", "private"] as const;
export type StreamKind = (typeof streamKinds)[number];

/** How streams misbehave from now on, for tests. All fields may be set at any time. */
export interface StreamFaults {
  /**
   * `silent`: no frames, but the server's pings. `stalled`: nothing at all, and what the client sends is not answered, as
   * if the network had swallowed both directions.
   */
  flow: "usual" | "silent" | "stalled";
  /** How many times each frame is sent: 2 doubles every frame, 100 is a flood. */
  copies: number;
  /** After so many frames, one from some time before is sent again; 0: never. */
  oldEvery: number;
  /** After so many frames, something that is no frame is sent; 0: never. */
  garbageEvery: number;
  /** Every frame is sent so many ms late, as over a slow connection. */
  delayMs: number;
  /** How many times a second each `global.ticker` is sent: 47 other pairs, so 4 are about 200 frames. */
  noise: number;
  /** The answer to every request to open a stream, with the header Location if there is one; undefined: streams open. */
  refusal: { readonly status: number; readonly location?: string } | undefined;
}

/** Streams without a fault. */
export function noStreamFaults(): StreamFaults {
  return {
    flow: "usual",
    copies: 1,
    oldEvery: 0,
    garbageEvery: 0,
    delayMs: 0,
    noise: 1,
    refusal: undefined,
  };
}
