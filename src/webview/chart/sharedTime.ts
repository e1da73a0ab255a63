import type { Candle } from "../../market/candle.ts";
import { element } from "../dom.ts";
import { candleAt } from "./candleTimes.ts";
import type { ChartPlane } from "./plane.ts";

interface SharedTimeOptions {
  readonly plane: ChartPlane;
  readonly candles: () => readonly Candle[];
  /** Called with the start of the candle under this chart's crosshair, ms; undefined if there is none. */
  readonly moved: (at: number | undefined) => void;
}

/** The time of the crosshair in the other charts of the window, as a line through this one. */
export class SharedTime {
  readonly #options: SharedTimeOptions;
  readonly #line = element("shared-time", HTMLElement);
  #at: number | undefined;
  #own: number | undefined;

  constructor(options: SharedTimeOptions) {
    this.#options = options;
  }

  /** The candle at the time of the other charts; undefined without one. */
  get candle(): Candle | undefined {
    return this.#at === undefined ? undefined : candleAt(this.#options.candles(), this.#at);
  }

  /** Shows the time of another chart, ms. */
  show(at: number | undefined): void {
    this.#at = at;
    this.place();
  }

  /** Reports to the other charts where this chart's crosshair is. */
  report(own: Candle | undefined): void {
    if (own?.time === this.#own) return;
    this.#own = own?.time;
    this.#options.moved(this.#own);
  }

  /** Call when the chart moved. */
  place(): void {
    const { candle } = this;
    const left = candle && this.#options.plane.leftOf(candle.time);
    this.#line.hidden = left === undefined;
    if (left !== undefined) this.#line.style.left = `${left}px`;
  }
}
