import * as z from "zod/mini";
import type { Candle, Interval } from "../market/candle.ts";
import { type ChartMarks, markNames, type ShownMarks } from "./chartMarks.ts";

/**
 * Messages between the extension host and a chart. The host checks every message again. No message of a chart sends
 * anything: a rate that it points at only fills the order ticket.
 */

const intervalSchema = z.enum(["1m", "5m", "1h", "1d"]);

/** A price pointed at, as decimal text with no exponent. */
const priceSchema = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));

const fromChartSchema = z.union([
  /**
   * The page has loaded and can receive messages; `isFilled`: it already shows the market and all candles, which it
   * received while loading.
   */
  z.strictObject({ type: z.literal("ready"), interval: intervalSchema, isFilled: z.boolean() }),
  z.strictObject({ type: z.literal("interval"), interval: intervalSchema }),
  /** Whether the chart stays on its pair while the pair in front changes. */
  z.strictObject({ type: z.literal("lock"), locked: z.boolean() }),
  z.strictObject({ type: z.literal("placeBid"), rate: priceSchema }),
  z.strictObject({ type: z.literal("placeAsk"), rate: priceSchema }),
  z.strictObject({ type: z.literal("addAlert"), price: priceSchema }),
  /** The person used the page, which the editor does not notice. Sent now and then. */
  z.strictObject({ type: z.literal("input") }),
  /** Read the candles again after a failure. */
  z.strictObject({ type: z.literal("retry") }),
  /** Show or hide the keys below the charts. */
  z.strictObject({ type: z.literal("showKeys"), shown: z.boolean() }),
  /** Show or hide one kind of the person's own marks in all charts. */
  z.strictObject({ type: z.literal("showMark"), mark: z.enum(markNames), shown: z.boolean() }),
  /** Run the action beside the note; the host knows the command. */
  z.strictObject({ type: z.literal("action") }),
]);

export type FromChart = z.infer<typeof fromChartSchema>;

/** A message if it is one of a chart's own; undefined for anything else. */
export function readFromChart(message: unknown): FromChart | undefined {
  return fromChartSchema.safeParse(message).data;
}

const stateSchema = z.object({
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  interval: intervalSchema,
  view: z.enum(["chart", "table"]),
  /** Missing in the state of a version without locks. */
  locked: z.optional(z.boolean()),
});

/** The state that a page is restored with after a reload of the editor. */
export type ChartPageState = z.infer<typeof stateSchema>;

/** The state that the editor kept of a page; undefined if it is invalid. */
export function readChartState(state: unknown): ChartPageState | undefined {
  return stateSchema.safeParse(state).data;
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
      /** Decimal text, quote per one base: each rate is a multiple of it. Undefined: not known. */
      readonly rateStep: string | undefined;
      /** Whether a bid can be placed: the pair is listed and not frozen. */
      readonly canBid: boolean;
      /** The same for an ask, where the exchange offers asks. */
      readonly canAsk: boolean;
      /** Whether the colours of rising and falling prices are swapped. */
      readonly inverted: boolean;
      readonly hourCycle: "h23" | "h12";
      /** Whether the keys are shown below the chart. */
      readonly showKeys: boolean;
      /** The chart stays on its pair while the pair in front changes. */
      readonly locked: boolean;
      /** The marks that are shown; undefined where there are none to show. */
      readonly shownMarks: ShownMarks | undefined;
      /** Why the price is unreliable; "" if it is fine. */
      readonly note: string;
    }
  /** The age of old prices, else "". Sent again whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  /** Candles will follow. Candles of another venue must be removed now; those of this venue may stay. */
  | { readonly type: "loading"; readonly isOtherVenue: boolean }
  /** There is no chart, for this reason; `action` names the most helpful action. */
  | { readonly type: "failed"; readonly text: string; readonly action: string }
  | {
      readonly type: "candles";
      readonly interval: Interval;
      /** Ordered by time. The newest candle is not complete yet. */
      readonly candles: readonly Candle[];
      /** The volumes are the least that was traded, not all. */
      readonly leastVolume: boolean;
      /** Why there is little or nothing to see; "" if all is well. */
      readonly note: string;
      /** The name of the action that would show more; "" without one. */
      readonly action: string;
    }
  /** The newest candle. It replaces the candle with the same start, or follows the newest one. */
  | { readonly type: "candle"; readonly candle: Candle }
  /** The marks of the person's own orders, all of them. Sent when they change. */
  | { readonly type: "marks"; readonly marks: ChartMarks };

/** The data that the page is built with. */
export interface ChartSetup {
  readonly symbol: string;
  /** The first interval, unless the page is restored with one. */
  readonly interval: Interval;
  readonly locale: string;
  readonly strings: ChartStrings;
}

/** Texts that the page fills in itself; `{0}` is replaced by a value. */
export interface ChartStrings {
  /** The badge's text for a venue. */
  readonly practice: string;
  readonly live: string;
  readonly chartOf: string;
  /** With a pair and an interval. */
  readonly candlesOf: string;
  /** Each interval in words. */
  readonly intervals: Readonly<Record<Interval, string>>;
  readonly loading: string;
  readonly volume: string;
  readonly leastVolume: string;
  readonly placeBidAt: string;
  readonly placeAskAt: string;
  readonly alertAt: string;
  readonly rateSpoken: string;
  readonly candleSpoken: string;
  /** The list of own orders and fills, for a screen reader. */
  readonly noMarks: string;
}
