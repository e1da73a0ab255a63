export const streamKinds = ["ticker", "book", "private"] as const;
export type StreamKind = (typeof streamKinds)[number];

/** Fault injection for streams, for tests. Fields may be changed at any time. */
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
    refusal: undefined,
  };
}
