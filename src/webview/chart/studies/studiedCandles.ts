import type { Candle } from "../../../market/candle.ts";
import type { Interval } from "../../../market/intervals.ts";
import type { ShownStudy } from "../../../market/studies.ts";
import { pricesOf, type SeriesList, type SeriesPoint, type ValueSeries } from "../series.ts";
import { registry } from "./registry.ts";
import { type StudyRow, StudyValues } from "./studyValues.ts";

/** A study at one candle. */
interface StudyReading {
  readonly shown: ShownStudy;
  /** 0: the pane of the prices. */
  readonly pane: number;
  readonly values: StudyRow;
}

/** The candles of a chart and its studies, as the series to draw. */
export class StudiedCandles {
  #shown: readonly ShownStudy[] = [];
  #candles: readonly Candle[] = [];
  #interval: Interval = "1m";
  #studies: readonly StudyValues[] = [];
  #series: SeriesList = pricesOf([]);

  /** Its points have the values of all studies. */
  get series(): SeriesList {
    return this.#series;
  }

  get shown(): readonly ShownStudy[] {
    return this.#shown;
  }

  setShown(shown: readonly ShownStudy[]): void {
    this.#shown = shown;
    this.#compute();
  }

  setCandles(candles: readonly Candle[], interval: Interval): void {
    this.#candles = candles;
    this.#interval = interval;
    this.#compute();
  }

  /** Continues after the newest candle has changed, or one was appended. */
  setNewest(candles: readonly Candle[]): void {
    const newest = candles.at(-1);
    if (!newest) return;
    this.#candles = candles;
    for (const study of this.#studies) study.update(newest, candles.length);
    const [prices, ...others] = this.#series;
    const points = this.#studies.flatMap(({ shown, rows }) => pointsOf(shown, newest, rows.at(-1) ?? []));
    this.#series = [
      { ...prices, points: candles },
      ...(others as ValueSeries[]).map((series, index) => ({
        ...series,
        points: withNewest(series.points, points[index] ?? { time: newest.time, value: undefined }),
      })),
    ];
  }

  /** The studies at a candle, by its index; negative: from the end. */
  at(index: number): StudyReading[] {
    let own = 0;
    return this.#studies.map(({ shown, rows }) => ({
      shown,
      pane: registry[shown.id].pane === "own" ? ++own : 0,
      values: rows.at(index) ?? [],
    }));
  }

  #compute(): void {
    this.#studies = this.#shown.map((shown) => new StudyValues(shown));
    for (const study of this.#studies) study.compute(this.#candles, this.#interval);
    let own = 0;
    const studied = this.#studies.flatMap((study): ValueSeries[] => {
      const { pane, unit, series, range } = registry[study.shown.id];
      const at = pane === "own" ? ++own : 0;
      const rows = study.rows.map((row, index) => {
        const candle = this.#candles[index];
        return candle ? pointsOf(study.shown, candle, row) : [];
      });
      return series.map(({ kind, colour, pattern }, index) => ({
        id: `${study.shown.id} ${index}`,
        kind,
        pane: at,
        unit,
        colour,
        pattern,
        range,
        points: rows.flatMap((row) => row[index] ?? []),
      }));
    });
    this.#series = [...pricesOf(this.#candles), ...studied];
  }
}

/** The points of a study at a candle, one for each of its series. */
function pointsOf({ id }: ShownStudy, candle: Candle, values: StudyRow): SeriesPoint[] {
  return registry[id].series.map(({ colourOf }, index) => {
    const value = values[index];
    const point = { time: candle.time, value };
    return value === undefined || !colourOf ? point : { ...point, colour: colourOf(value, candle) };
  });
}

function withNewest(points: readonly SeriesPoint[], newest: SeriesPoint): readonly SeriesPoint[] {
  const isUpdate = points.at(-1)?.time === newest.time;
  return [...(isUpdate ? points.slice(0, -1) : points), newest];
}
