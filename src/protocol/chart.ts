import * as z from "zod/mini";
import { alertEdges } from "../market/alertRule.ts";
import type { Candle } from "../market/candle.ts";
import { intervalNames, type Interval } from "../market/intervals.ts";
import { type ShownStudy, studyIds, type StudyId } from "../market/studies.ts";
import { type ChartMark, markNames, type ShownMarks } from "./chartMarks.ts";

/**
 * Messages between the extension host and a chart page. The host validates every message. A chart cannot place orders:
 * picking a rate only fills in the order ticket.
 */

const intervalSchema = z.enum(intervalNames);

/** A price under the crosshair, as decimal text without exponent. */
const priceSchema = z.string().check(z.regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/));

/** Up to 12 MB, several times a chart on the largest screens. */
const pngSchema = z.string().check(z.maxLength(16_000_000), z.regex(/^iVBORw0KGgo[A-Za-z0-9+/]*={0,2}$/));

/** ms since the epoch. */
const timeSchema = z.int().check(z.nonnegative(), z.lte(8.64e15));

const endSchema = z.strictObject({ at: timeSchema, price: priceSchema });

const shapeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("level"), price: priceSchema }),
  z.strictObject({ kind: z.literal("trend"), from: endSchema, to: endSchema }),
]);

const refSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("drawn"), id: z.uuid() }),
  z.strictObject({ kind: z.literal("alert"), id: z.uuid(), edge: z.enum(alertEdges) }),
]);

const fromChartSchema = z.union([
  /**
   * The page is loaded and can receive messages. `isFilled`: it already received the market and all candles while loading.
   */
  z.strictObject({ type: z.literal("ready"), interval: intervalSchema, isFilled: z.boolean() }),
  z.strictObject({ type: z.literal("interval"), interval: intervalSchema }),
  /** Whether the chart keeps its pair when the active pair changes. */
  z.strictObject({ type: z.literal("lock"), locked: z.boolean() }),
  z.strictObject({ type: z.literal("placeBid"), rate: priceSchema }),
  z.strictObject({ type: z.literal("placeAsk"), rate: priceSchema }),
  z.strictObject({ type: z.literal("addAlert"), price: priceSchema }),
  /** The user interacted with the page, which the editor does not notice. Throttled. */
  z.strictObject({ type: z.literal("input") }),
  /** Reload the candles after a failure. */
  z.strictObject({ type: z.literal("retry") }),
  z.strictObject({ type: z.literal("showMark"), mark: z.enum(markNames), shown: z.boolean() }),
  /** The oldest candles are in view, or nearly so. */
  z.strictObject({ type: z.literal("older") }),
  /** Save this picture of the chart: a PNG file in base64. */
  z.strictObject({ type: z.literal("picture"), png: pngSchema }),
  /** Whether the editor took a picture of the chart into the clipboard. */
  z.strictObject({ type: z.literal("pictureCopied"), isCopied: z.boolean() }),
  /** The crosshair is on the candle that begins at this time, ms since the epoch; missing: on none. */
  z.strictObject({ type: z.literal("crosshair"), at: z.optional(timeSchema) }),
  /** Open another chart of the pair beside this one. */
  z.strictObject({ type: z.literal("openBeside") }),
  z.strictObject({ type: z.literal("drawLine"), shape: shapeSchema }),
  z.strictObject({ type: z.literal("moveLine"), ref: refSchema, shape: shapeSchema }),
  /** Ask for the name of a drawn line, or for another rule of an alert. */
  z.strictObject({ type: z.literal("editLine"), ref: refSchema }),
  z.strictObject({ type: z.literal("removeLine"), ref: refSchema }),
  /** Switch the price scale of all charts. */
  z.strictObject({ type: z.literal("logScale"), on: z.boolean() }),
  z.strictObject({ type: z.literal("showStudy"), study: z.enum(studyIds), shown: z.boolean() }),
  /** Ask for the periods of a study. */
  z.strictObject({ type: z.literal("periods") }),
  /** Run the action beside the note; the host knows the command. */
  z.strictObject({ type: z.literal("action") }),
]);

export type FromChart = z.infer<typeof fromChartSchema>;

/** Parses a message of a chart page; undefined for anything else. */
export function readFromChart(message: unknown): FromChart | undefined {
  return fromChartSchema.safeParse(message).data;
}

const stateSchema = z.object({
  symbol: z.string().check(z.minLength(1), z.maxLength(64)),
  interval: intervalSchema,
  view: z.enum(["chart", "table"]),
  /** Missing in the state of versions without locks. */
  locked: z.optional(z.boolean()),
});

/** State with which a page is restored after the editor reloads. */
export type ChartPageState = z.infer<typeof stateSchema>;

/** Parses the state that the editor stored for a page; undefined if invalid. */
export function readChartState(state: unknown): ChartPageState | undefined {
  return stateSchema.safeParse(state).data;
}

export type ToChart =
  | {
      readonly type: "market";
      readonly venue: { readonly name: string; readonly live: boolean };
      readonly pair: { readonly quote: string; readonly base: string };
      /** Prices as decimal text; undefined if unknown. */
      readonly last: string | undefined;
      /** Change in 24 hours as in Markets; "" if unknown. */
      readonly change: string;
      readonly bestBid: string | undefined;
      readonly bestAsk: string | undefined;
      /** Tick size as decimal text, quote per base; undefined if unknown. */
      readonly rateStep: string | undefined;
      /** Whether a bid can be placed: the pair is listed and not frozen. */
      readonly canBid: boolean;
      /** The same for an ask, where the exchange offers asks. */
      readonly canAsk: boolean;
      /** Whether to swap the colours of rising and falling prices. */
      readonly inverted: boolean;
      readonly hourCycle: "h23" | "h12";
      /** Whether the price scale is logarithmic. */
      readonly logScale: boolean;
      /** The chart keeps its pair when the active pair changes. */
      readonly locked: boolean;
      /** Visible kinds of marks; undefined if there are none to show. */
      readonly shownMarks: ShownMarks | undefined;
      /** Why the price is unreliable; "" if it is fine. */
      readonly note: string;
    }
  | ({ readonly type: "studies" } & Studies)
  /** The crosshair of another chart is at this time, ms since the epoch; undefined: it is hidden. */
  | { readonly type: "crosshair"; readonly at: number | undefined }
  /** Age of stale prices, else "". Sent whenever it changes. */
  | { readonly type: "age"; readonly text: string }
  /** Candles will follow. Candles of another venue must be removed now; others may stay. */
  | { readonly type: "loading"; readonly isOtherVenue: boolean }
  /** Why no chart can be shown; `action` labels the most helpful action. */
  | { readonly type: "failed"; readonly text: string; readonly action: string }
  | {
      readonly type: "candles";
      readonly interval: Interval;
      /** Sorted by time. The newest candle is not complete yet. */
      readonly candles: readonly Candle[];
      /** Whether older ones may follow on request. */
      readonly hasOlder: boolean;
      /** Volumes are lower bounds. */
      readonly leastVolume: boolean;
      /** Why little or nothing is shown; "" if all is well. */
      readonly note: string;
      /** Label of the action that would show more; "" if there is none. */
      readonly action: string;
    }
  /** The newest candle: replaces the one with the same start, or is appended. */
  | { readonly type: "candle"; readonly candle: Candle }
  /** All of the user's own marks, without those disabled in the settings; fills are sorted by time. Sent when they change. */
  | { readonly type: "marks"; readonly marks: readonly ChartMark[] };

/** The studies that a person chose, for all charts. */
export interface Studies {
  /** Every study with its figures. */
  readonly all: readonly ShownStudy[];
  readonly shown: readonly StudyId[];
}

/** Data embedded in the page when it is built. */
export interface ChartSetup {
  readonly symbol: string;
  /** Initial interval, unless the page is restored with one. */
  readonly interval: Interval;
  readonly locale: string;
  readonly studies: Studies;
  readonly strings: ChartStrings;
}

/** Texts that the page sets itself. It replaces placeholders such as `{0}`. */
export interface ChartStrings {
  readonly practice: string;
  readonly live: string;
  readonly chartOf: string;
  /** With pair and interval. */
  readonly candlesOf: string;
  readonly intervals: Readonly<Record<Interval, { readonly label: string; readonly spoken: string }>>;
  /** Names of studies, to which their figures are added. */
  readonly studies: Readonly<Record<StudyId, string>>;
  readonly loading: string;
  readonly volume: string;
  readonly leastVolume: string;
  readonly placeBidAt: string;
  readonly placeAskAt: string;
  readonly alertAt: string;
  readonly rateSpoken: string;
  readonly candleSpoken: string;
  readonly lines: {
    /** Hints while a line is drawn. */
    readonly chooseLevel: string;
    readonly chooseStart: string;
    readonly chooseEnd: string;
    /** Hint while a line is selected. */
    readonly selected: string;
    readonly none: string;
    /** An end of a line, with its text. */
    readonly start: string;
    readonly end: string;
    readonly edit: string;
    readonly rename: string;
  };
  /** Own orders and fills, for screen readers. */
  readonly noMarks: string;
}
