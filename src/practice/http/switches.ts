import { streamKinds, type StreamKind } from "../stream/faults.ts";
import type { Api, Generation } from "./routes.ts";

/** How the exchange differs from its usual behaviour, for tests, as services of this family differ. */
export interface Switches {
  /** Which API it serves. `generations` has no meaning for the current one. */
  api: Api;
  /** The generations that it offers beyond the four endpoints; `[]` for the four endpoints alone. */
  generations: readonly Generation[];
  /** What becomes of an order's `client_id`: given back, ignored, or given back everywhere but in open orders. */
  clientIds: "echoed" | "dropped" | "blankInOpenOrders";
  /** What a second order with a used `client_id` is: an order, refused with 10, or answered like the first one. */
  duplicates: "accepted" | "refused" | "replayed";
  /** For this long the order history does not show a match. */
  historyLagMs: number;
  /** Pairs whose open orders, order history and order info are refused with 61. */
  unsupportedPairs: readonly string[];
  /** For this long a cancelled order can be looked up. */
  cancelledKeptMs: number;
  /** The streams that it offers. */
  streams: readonly StreamKind[];
}

const DAY = 86_400_000;

/** The usual behaviour. */
export const defaultSwitches: Readonly<Switches> = {
  api: "spec",
  generations: ["A"],
  clientIds: "echoed",
  duplicates: "accepted",
  historyLagMs: 0,
  unsupportedPairs: [],
  cancelledKeptMs: 3 * DAY,
  streams: [],
};

/** The exchange that a person trades on: also streams, and generation B, which alone states the limits of each pair. */
export const embeddedSwitches: Readonly<Switches> = {
  ...defaultSwitches,
  generations: ["A", "B"],
  streams: streamKinds,
};

/** The service of 2026: everything is offered, at today's paths only. */
export const currentSwitches: Readonly<Switches> = {
  ...defaultSwitches,
  api: "current",
  streams: streamKinds,
};
