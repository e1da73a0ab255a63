/** Where in a bid's way its process ends, in order. */
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
  /** Of quote, a bid each; the last is the one to die in. */
  readonly amounts: readonly string[];
  /** Whether the balance is read anew before the next bid. */
  readonly waits: boolean;
  /** At the exchange's hands it is not this process that ends itself. */
  readonly point: DeathPoint;
}
