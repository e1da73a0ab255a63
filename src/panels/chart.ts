import * as z from "zod/mini";
import type { Candle, Interval } from "../market/candle.ts";

/**
 * Messages between the extension host and a chart. The host checks every message again; nothing a chart says sends
 * anything: a rate it points at only fills the order ticket in.
 */

const intervalSchema = z.enum(["1m", "5m", "1h", "1d"]);

/** A price pointed at, as decimal text with no exponent. */
const priceSchema = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));

const fromChartSchema = z.union([
  /** The page has loaded and can be told what to show; `isFilled`: it shows candles already, told while it loaded. */
  z.strictObject({ type: z.literal("ready"), interval: intervalSchema, isFilled: z.boolean() }),
  z.strictObject({ type: z.literal("interval"), interval: intervalSchema }),
  z.strictObject({ type: z.literal("placeBid"), rate: priceSchema }),
  z.strictObject({ type: z.literal("addAlert"), price: priceSchema }),
  /** The person used the page, which the editor does not see; told now and then. */
  z.strictObject({ type: z.literal("input") }),
  /** Read the candles once more, after a failure. */
  z.strictObject({ type: z.literal("retry") }),
  /** Name the keys below the charts, or no longer. */
  z.strictObject({ type: z.literal("showKeys"), shown: z.boolean() }),
  /** Do what was offered beside the note; which command that is, the host knows. */
  z.strictObject({ type: z.literal("action") }),
]);

export type FromChart = z.infer<typeof fromChartSchema>;

/** A message if it is one of a chart's own; undefined for anything else. */
export function readFromChart(message: unknown): FromChart | undefined {
  const parsed = fromChartSchema.safeParse(message);
  return parsed.success ? parsed.data : undefined;
}

const stateSchema = z.object({
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  interval: intervalSchema,
  view: z.enum(["chart", "table"]),
});

/** What a page is brought back with after the editor was reloaded. */
export type ChartPageState = z.infer<typeof stateSchema>;

/** The state that the editor kept of a page; undefined where it is none. */
export function readChartState(state: unknown): ChartPageState | undefined {
  const parsed = stateSchema.safeParse(state);
  return parsed.success ? parsed.data : undefined;
}

export type ToChart =
  | {
      readonly type: "market";
      readonly venue: { readonly name: string; readonly live: boolean };
      readonly pair: { readonly quote: string; readonly base: string };
      /** Prices as decimal text, undefined while unknown. */
      readonly last: string | undefined;
      readonly bestBid: string | undefined;
      readonly bestAsk: string | undefined;
      /** Whether a bid can be placed: the pair is listed and not frozen. */
      readonly canBid: boolean;
      /** Whether rising prices have the colour that is usual for falling ones. */
      readonly inverted: boolean;
      /** Whether the keys are named below the chart. */
      readonly showKeys: boolean;
      /** Why the price is not to be relied on; "" when all is well. */
      readonly note: string;
    }
  /** How old the prices are, where they are old, else "": told again whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  /** Candles are on their way. Those of another venue are to be shown no longer; of this one's, others may follow. */
  | { readonly type: "loading"; readonly isOtherVenue: boolean }
  /** There is no chart, for this reason; `action` names what helps most. */
  | { readonly type: "failed"; readonly text: string; readonly action: string }
  | {
      readonly type: "candles";
      readonly interval: Interval;
      /** By time; the newest is the one under way. */
      readonly candles: readonly Candle[];
      /** Volumes are the least that was traded, not all of it. */
      readonly leastVolume: boolean;
      /** Why there is little or nothing to see; "" when all is well. */
      readonly note: string;
      /** Names what would show more; "" where there is nothing to do. */
      readonly action: string;
    }
  /** The newest candle, which is to replace the one that begins at its time, or to follow the newest. */
  | { readonly type: "candle"; readonly candle: Candle };

/** What the page is built with. */
export interface ChartSetup {
  readonly symbol: string;
  readonly locale: string;
  readonly strings: ChartStrings;
}

/** Words that the page puts in itself; `{0}` stands for what it knows. */
export interface ChartStrings {
  /** What the badge says of a venue. */
  readonly practice: string;
  readonly live: string;
  readonly chartOf: string;
  /** Of a pair and an interval. */
  readonly candlesOf: string;
  /** Each in words. */
  readonly intervals: Readonly<Record<Interval, string>>;
  readonly loading: string;
  readonly volume: string;
  readonly leastVolume: string;
  readonly placeBidAt: string;
  readonly alertAt: string;
  readonly rateSpoken: string;
  readonly candleSpoken: string;
}
