import type { Candle } from "../../market/candle.ts";

/** A colour of the theme, by name. */
export type ColourToken = "up" | "down" | "volumeUp" | "volumeDown" | "text" | "blue" | "yellow" | "purple";

/** The colours that a theme gives series. */
export type SeriesColours = Readonly<Record<ColourToken | "background", string>>;

/** How the numbers of a scale are written: `difference` of prices, `index` from 0 to 100. */
export type SeriesUnit = "price" | "volume" | "difference" | "index";

export type LinePattern = "solid" | "dashed" | "dotted" | "longDashed" | "sparse";

export interface SeriesPoint {
  /** Start of its candle, ms. */
  readonly time: number;
  /** Undefined: nothing is drawn at this time. */
  readonly value: number | undefined;
  /** Default: the colour of the series. */
  readonly colour?: ColourToken;
}

interface Placed {
  /** Unique in its chart. */
  readonly id: string;
  /** 0: the pane of the prices; further ones are below it. */
  readonly pane: number;
  readonly unit: SeriesUnit;
}

interface CandleSeries extends Placed {
  readonly kind: "candles";
  /** Sorted by time, as are all points. */
  readonly points: readonly Candle[];
}

export interface ValueSeries extends Placed {
  readonly kind: "histogram" | "line";
  readonly colour: ColourToken;
  /** Of a line; default solid. */
  readonly pattern?: LinePattern | undefined;
  /** The whole range of its scale, and the levels drawn across it; default: the range of the visible points. */
  readonly range?:
    | { readonly from: number; readonly to: number; readonly levels: readonly number[] }
    | undefined;
  readonly points: readonly SeriesPoint[];
}

export type ChartSeries = CandleSeries | ValueSeries;

/** The first series is that of the prices. */
export type SeriesList = readonly [CandleSeries, ...ChartSeries[]];

/** The prices alone. */
export function pricesOf(candles: readonly Candle[]): SeriesList {
  return [{ id: "prices", kind: "candles", pane: 0, unit: "price", points: candles }];
}
