/** The points of placing a bid at which the process ends, in order. */
export const deathPoints = [
  "before its journal line",
  "within its journal line",
  "after its journal line",
  "after its request",
  "at the exchange's hands",
  "after its answer",
  "after its outcome's line",
] as const;
export type DeathPoint = (typeof deathPoints)[number];

export interface DeathOrder {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The window's storage. */
  readonly directory: string;
  /** Quote amounts, one for each bid; the process dies during the last bid. */
  readonly amounts: readonly string[];
  /** Whether the balance is read again before the next bid. */
  readonly waits: boolean;
  /** At the point "at the exchange's hands" the exchange kills this process. */
  readonly point: DeathPoint;
}
