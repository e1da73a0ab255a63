import type { Alert, AlertRule } from "../../../src/market/alertRule.ts";
import type { Candle } from "../../../src/market/candle.ts";

/** The live exchange. */
export const ORIGIN = "https://api.example.com";
export const MINUTE = 60_000;
/** When the newest data was stored: 20 November 2026, 09:30 UTC. */
export const STORED = Date.UTC(2026, 10, 20, 9, 30);
export const NEXT_DAY = STORED + 1440 * MINUTE;

/** Data stored by each version. test/fixtures/stored/README.md describes how it was created. */
export interface Stored {
  readonly commit: string;
  /** State of each order, by its number. */
  readonly orders: Readonly<Record<number, string>>;
  /** Records of all orders. */
  readonly orderRecords: number;
  /** Kind and order of each event of the practice account. */
  readonly ledger: readonly string[];
  readonly wallet: Readonly<Record<string, number>>;
  /** Orders of the practice account: id, state, number of matches. */
  readonly ledgerOrders: readonly (readonly [number, "open" | "filled", number])[];
  /** The alert that was edited, if the version could edit alerts. */
  readonly edited: Partial<Alert>;
  readonly settings: number;
  /** Whether a set-up of a live exchange was interrupted. */
  readonly hasSetUp: boolean;
}

const before: Stored = {
  commit: "66e49fb",
  orders: {
    1: "accepted",
    2: "accepted",
    3: "rejected",
    4: "rejected",
    5: "notSent",
    6: "notSent",
    7: "accepted",
    8: "accepted",
    9: "notPlaced",
    10: "unresolved",
    11: "accepted",
    12: "notPlaced",
    13: "accepted",
    14: "unknown",
    15: "unknown",
    16: "unknown",
    17: "rejected",
  },
  orderRecords: 48,
  ledger: ["opened", "bid 1", "bid 2", "bid 3", "filled 2"],
  wallet: { THB: 982_299.25, BTC: 0.00384406, DOT: 39.558217 },
  ledgerOrders: [
    [1, "filled", 1],
    [2, "filled", 1],
    [3, "open", 0],
  ],
  edited: { phase: "fired", isOn: false, round: 1, fired: { at: STORED + 15_000, price: 16, isSeen: false } },
  settings: 15,
  hasSetUp: false,
};

export const versions: readonly Stored[] = [
  before,
  {
    commit: "22d9c06",
    // The account was reset, so the balance cannot settle 10 and 18 any more.
    orders: { ...before.orders, 10: "accountReset", 18: "accountReset", 19: "accepted" },
    orderRecords: 52,
    ledger: [...before.ledger, "reset", "reset", "bid 4", "bid 5"],
    wallet: { THB: 996_500.01, SOL: 0.43424771 },
    ledgerOrders: [
      [4, "filled", 1],
      [5, "open", 0],
    ],
    edited: { rule: { kind: "below", price: "15" }, repeats: true, armedAt: STORED + 20_000, round: 1 },
    settings: 16,
    hasSetUp: true,
  },
];

/** The id of an order, a draft or an alert. */
export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
export const numberOf = (id: string): number => Number(id.slice(-12));

/** All alerts, by id. */
export function alertsOf({ edited }: Stored): Alert[] {
  const fired = (price: number, isSeen = false): Partial<Alert> => ({
    phase: "fired",
    isOn: false,
    round: 1,
    fired: { at: STORED + 15_000, price, isSeen },
  });
  const alert = (number: number, symbol: string, rule: AlertRule, state: Partial<Alert> = {}): Alert => ({
    id: idOf(number),
    venue: "practice",
    origin: "http://127.0.0.1:1",
    symbol,
    rule,
    repeats: false,
    isOn: true,
    phase: "armed",
    armedAt: STORED + 5000,
    round: 0,
    ...state,
  });
  const repeats = true;
  const again = { repeats, isOn: true, phase: "armed", armedAt: STORED + 20_000 } as const;
  const snoozed = { isOn: true, phase: "armed", armedAt: STORED + 620_000 } as const;
  const live = { venue: "live", origin: ORIGIN, repeats, armedAt: STORED + 20_000 } as const;
  return [
    alert(1, "THB_BTC", { kind: "above", price: "3500000" }),
    alert(2, "THB_BTC", { kind: "below", price: "2500000.5" }, { repeats }),
    alert(3, "THB_BTC", { kind: "change", percent: "7.5", minutes: 60 }, { repeats }),
    alert(4, "THB_ETH", { kind: "above", price: "110000" }, fired(110_500)),
    alert(5, "THB_ETH", { kind: "above", price: "110001" }, fired(110_500, true)),
    alert(
      6,
      "THB_XRP",
      { kind: "below", price: "65" },
      { ...fired(64.25), repeats, isOn: true, phase: "waiting" },
    ),
    alert(7, "THB_SOL", { kind: "above", price: "5500" }, { ...fired(5600), ...again }),
    alert(8, "THB_ADA", { kind: "below", price: "18" }, { ...fired(16, true), ...snoozed }),
    alert(9, "THB_ADA", { kind: "change", percent: "3", minutes: 1440 }, { isOn: false }),
    alert(10, "THB_DOGE", { kind: "change", percent: "10", minutes: 15 }, fired(5.75)),
    alert(11, "THB_ADA", { kind: "below", price: "17" }, edited),
    alert(12, "THB_BTC", { kind: "above", price: "4000000" }, live),
  ];
}

/** Each source and the time of its first minute. */
export const recorded = [
  ["practice", STORED - 2880 * MINUTE],
  [ORIGIN, STORED - 1440 * MINUTE],
] as const;

/** The first price of each pair, its rise every 30 seconds, and how many minutes it was traded. */
export const pairs: Readonly<Record<string, readonly [price: number, step: number, minutes: number]>> = {
  THB_BTC: [3e6, 100, 38],
  THB_ETH: [1e5, 0.25, 40],
  USDT_BTC: [90_000.5, 1, 40],
  THB_FLAT: [0.00000123, 0, 40],
};

/** The candles of a pair, from the first minute of its source. */
export function candlesOf(symbol: string, start: number): Candle[] {
  const [price, step, minutes] = pairs[symbol] ?? [0, 0, 0];
  return Array.from({ length: minutes }, (_, minute) => {
    const [low, high] = [price + 2 * minute * step, price + (2 * minute + 1) * step];
    const volume = symbol === "THB_ETH" ? undefined : minute === 0 ? 0.5 : 1;
    return { time: start + minute * MINUTE, open: low, high, low, close: high, volume };
  });
}
