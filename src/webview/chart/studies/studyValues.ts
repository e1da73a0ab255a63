import type { Candle } from "../../../market/candle.ts";
import type { Interval } from "../../../market/intervals.ts";
import type { ShownStudy } from "../../../market/studies.ts";
import { registry, type Study, type StudySteps } from "./registry.ts";

/** The values of a candle, one for each series of the study; undefined while the study warms up. */
export type StudyRow = readonly (number | undefined)[];

/** A study over the candles of a chart, of which the newest one changes. */
export class StudyValues {
  readonly #study: Study;
  readonly #shown: ShownStudy;
  #steps: StudySteps = () => [];
  #warmUp = 0;
  #rows: readonly StudyRow[] = [];

  constructor(shown: ShownStudy) {
    this.#shown = shown;
    this.#study = registry[shown.id];
  }

  get shown(): ShownStudy {
    return this.#shown;
  }

  /** A row for each candle. */
  get rows(): readonly StudyRow[] {
    return this.#rows;
  }

  /** Computes all values from the start. */
  compute(candles: readonly Candle[], interval: Interval): void {
    const { parameters } = this.#shown;
    this.#warmUp = this.#study.warmUp(parameters);
    this.#steps = this.#study.begin(parameters, interval);
    this.#rows = candles.map((candle, index) => this.#step(candle, index, false));
  }

  /** Continues with the newest candle, which has changed, or has been appended to `count` − 1 others. */
  update(newest: Candle, count: number): void {
    const isUpdate = count === this.#rows.length;
    const row = this.#step(newest, count - 1, isUpdate);
    this.#rows = [...(isUpdate ? this.#rows.slice(0, -1) : this.#rows), row];
  }

  #step(candle: Candle, index: number, isUpdate: boolean): StudyRow {
    const row = this.#steps(candle, isUpdate);
    return index < this.#warmUp ? [] : row;
  }
}
