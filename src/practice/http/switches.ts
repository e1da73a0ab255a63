import { streamKinds, type StreamKind } from "../stream/address.ts";
import type { Api, PracticeGeneration } from "./routes.ts";

/** Behaviour in which services of this family differ, for tests. */
export interface Switches {
  /** The API to serve. The current one ignores `generations`. */
  api: Api;
  /** The generations whose extensions are offered; `[]` for the four endpoints alone. */
  generations: readonly PracticeGeneration[];
  /** Whether an order's `client_id` is returned, ignored, or returned everywhere except in open orders. */
  clientIds: "echoed" | "dropped" | "blankInOpenOrders";
  /**
   * How a second order with a used `client_id` is handled: as a new order, rejected with 10, or with the first response.
   */
  duplicates: "accepted" | "refused" | "replayed";
  /** How long the order history omits a match. */
  historyLagMs: number;
  /** Pairs whose open orders, order history and order details are rejected with 61. */
  unsupportedPairs: readonly string[];
  /** How long a cancelled order can be looked up. */
  cancelledKeptMs: number;
  /** Streams that are offered. */
  streams: readonly StreamKind[];
}

const DAY = 86_400_000;

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

/** The exchange that users trade on: with streams, and with generation B, which alone reports the limits of each pair. */
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
