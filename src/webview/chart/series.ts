import type { Candle } from "../../market/candle.ts";

/** A colour of the theme, by name. */
type ColourToken = "up" | "down" | "volumeUp" | "volumeDown" | "text";

/** The colours that a theme gives series. */
export type SeriesColours = Readonly<Record<ColourToken | "background", string>>;

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
  /** How the numbers of its scale are written. */
  readonly unit: "price" | "volume";
}

interface CandleSeries extends Placed {
  readonly kind: "candles";
  /** Sorted by time, as are all points. */
  readonly points: readonly Candle[];
}

export interface ValueSeries extends Placed {
  readonly kind: "histogram" | "line";
  readonly colour: ColourToken;
  readonly points: readonly SeriesPoint[];
}

export type ChartSeries = CandleSeries | ValueSeries;

/** The first series is that of the prices. */
export type SeriesList = readonly [CandleSeries, ...ChartSeries[]];

/** What a chart draws of its candles. */
export function seriesOf(candles: readonly Candle[]): SeriesList {
  return [
    { id: "prices", kind: "candles", pane: 0, unit: "price", points: candles },
    {
      id: "volumes",
      kind: "histogram",
      pane: 1,
      unit: "volume",
      colour: "volumeUp",
      points: candles.map(({ time, open, close, volume }) => ({
        time,
        value: volume,
        colour: close < open ? "volumeDown" : "volumeUp",
      })),
    },
  ];
}
