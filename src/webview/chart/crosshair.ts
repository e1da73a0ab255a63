import type { Candle } from "../../market/candle.ts";
import type { Interval } from "../../market/intervals.ts";
import type { LineEnd } from "../../market/drawnLine.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { ChartStrings, FromChart } from "../../protocol/chart.ts";
import { element, setText } from "../dom.ts";
import { shortcutKey } from "../keys.ts";
import { rateStep } from "../ticket/totals.ts";
import { filled } from "../words.ts";
import type { ChartDrawing, ChartPoint } from "./drawing.ts";
import { rateAt, type ChartFormat } from "./format.ts";

interface Shown {
  readonly candles: readonly Candle[];
  readonly interval: Interval;
  readonly places: number;
  /** Tick size; undefined if unknown. */
  readonly rateStep: Decimal | undefined;
  /** Last price as decimal text. */
  readonly last: string | undefined;
  readonly canBid: boolean;
  readonly canAsk: boolean;
}

interface CrosshairOptions {
  readonly drawing: ChartDrawing;
  readonly text: ChartFormat;
  readonly strings: ChartStrings;
  readonly shown: () => Shown;
  /** Whether its buttons are hidden. */
  readonly isCovered: () => boolean;
  /** Called when the crosshair moves to another candle, or off all candles. */
  readonly changed: () => void;
  /** The studies and the user's fills of a candle, for screen readers. */
  readonly notesOf: (candle: Candle) => readonly string[];
  readonly send: (message: FromChart) => void;
}

/** The crosshair, moved by pointer or keyboard, with its buttons: Buy, Sell (if offered) and Alert at its rate. */
export class Crosshair {
  readonly #options: CrosshairOptions;
  readonly #chart = element("chart", HTMLElement);
  readonly #pick = element("pick", HTMLElement);
  readonly #bid = element("pick-bid", HTMLButtonElement);
  readonly #ask = element("pick-ask", HTMLButtonElement);
  readonly #alert = element("pick-alert", HTMLButtonElement);
  #pointed: (Pick<ChartPoint, "time" | "at" | "top"> & { readonly rate: string | undefined }) | undefined;
  /** Whether the keyboard placed the crosshair, which then stays on its candle and rate, not at its screen position. */
  #isByKeys = false;

  constructor(options: CrosshairOptions) {
    this.#options = options;
    options.drawing.onDidPoint((point) => this.#follow(point));
    const frame = element("frame", HTMLElement);
    for (const type of ["pointermove", "pointerdown"] as const) {
      frame.addEventListener(type, (event) => this.#takeFromKeys(event), { capture: true });
    }
    this.#chart.addEventListener("keydown", (event) => this.#press(event));
    this.#chart.addEventListener("focusout", (event) => this.#leaveUnless(event));
    this.#pick.addEventListener("focusout", (event) => this.#leaveUnless(event));
    this.#pick.addEventListener("mouseleave", () => this.#isByKeys || this.#isHeld() || this.leave());
    this.#bid.addEventListener("click", () => this.#act("placeBid"));
    this.#ask.addEventListener("click", () => this.#act("placeAsk"));
    this.#alert.addEventListener("click", () => this.#act("addAlert"));
  }

  get candle(): Candle | undefined {
    const time = this.#pointed?.time;
    return time === undefined ? undefined : this.#options.shown().candles.find((each) => each.time === time);
  }

  /** Where it is; undefined if it is hidden or off the prices. */
  get point(): LineEnd | undefined {
    const { at = 0, rate } = this.#pointed ?? {};
    return rate === undefined ? undefined : { at, price: rate };
  }

  leave(): void {
    this.#isByKeys = false;
    this.#options.drawing.leave();
    this.#point(undefined, undefined);
  }

  /**
   * Updates the crosshair after the candles changed. If the keyboard placed it, it stays on its candle as long as that
   * exists. The library updates one that follows the pointer.
   */
  refresh(): void {
    const { candle } = this;
    const rate = this.#pointed?.rate;
    if (!this.#isByKeys || rate === undefined) return;
    if (candle) this.#point(this.#options.drawing.point(candle, Number(rate)), rate);
    else this.leave();
  }

  /** Ignores the pointer events that the browser sends when the page scrolls under a resting pointer. */
  #takeFromKeys({ type, movementX, movementY }: PointerEvent): void {
    if (type === "pointerdown" || movementX !== 0 || movementY !== 0) this.#isByKeys = false;
  }

  #follow(point: ChartPoint | undefined): void {
    // The library keeps the crosshair at its screen position, where another candle or price may be now.
    if (this.#isByKeys) return this.refresh();
    // On its way to the buttons, the pointer leaves the chart.
    if (!point && this.#isHeld()) return;
    const { places, rateStep: step } = this.#options.shown();
    const rate = point?.price === undefined ? undefined : rateAt(point.price, places, step);
    this.#point(point, rate);
  }

  #point(point: ChartPoint | undefined, rate: string | undefined): void {
    this.#pointed = point && { time: point.time, at: point.at, top: point.top, rate };
    this.showButtons();
    this.#options.changed();
  }

  /** Call when they became covered or uncovered, too. */
  showButtons(): void {
    const { top = 0, rate } = this.#pointed ?? {};
    this.#pick.hidden = rate === undefined || this.#options.isCovered();
    if (rate === undefined || this.#pick.hidden) return;
    const { text, strings, shown } = this.#options;
    const { places, canBid, canAsk } = shown();
    this.#ask.hidden = !canAsk;
    this.#pick.style.top = `${top}px`;
    for (const [button, sentence] of [
      [this.#bid, strings.placeBidAt],
      [this.#ask, strings.placeAskAt],
      [this.#alert, strings.alertAt],
    ] as const) {
      const name = filled(sentence, text.price(Number(rate), places));
      button.title = name;
      button.setAttribute("aria-label", name);
      button.disabled = !canBid;
    }
  }

  #isHeld(): boolean {
    return this.#pick.matches(":hover") || this.#pick.contains(document.activeElement);
  }

  #leaveUnless({ relatedTarget }: FocusEvent): void {
    const stays =
      relatedTarget instanceof Node && [this.#chart, this.#pick].some((each) => each.contains(relatedTarget));
    if (!stays) this.leave();
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = this.#actOf(shortcutKey(event));
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actOf(key: string): (() => void) | undefined {
    const { candles } = this.#options.shown();
    const newest = candles.length - 1;
    const at = candles.findIndex(({ time }) => time === this.#pointed?.time);
    const index = at === -1 ? newest : at;
    switch (key) {
      case "ArrowLeft":
        return () => this.#toCandle(index - 1);
      case "ArrowRight":
        return () => this.#toCandle(index + 1);
      case "Home":
        return () => this.#toCandle(0);
      case "End":
        return () => {
          this.#options.drawing.showNewest();
          this.#toCandle(newest);
        };
      case "ArrowUp":
        return () => this.#toRate(index, 1);
      case "ArrowDown":
        return () => this.#toRate(index, -1);
      case "Enter":
        return () => this.#act("placeBid");
      case "s":
        return () => this.#act("placeAsk");
      case "a":
        return () => this.#act("addAlert");
      case "Escape":
        return () => this.leave();
      default:
        return undefined;
    }
  }

  #toCandle(wanted: number): void {
    const { text, strings, shown } = this.#options;
    const { candles, interval, places } = shown();
    const index = Math.min(candles.length - 1, Math.max(0, wanted));
    const candle = candles[index];
    const known = this.#rate();
    if (!candle || known === undefined) return;
    this.#options.drawing.reveal(index);
    const rate = this.#shownRate(known);
    this.#put(index, rate);
    const prices = [candle.open, candle.high, candle.low, candle.close];
    const words = prices.map((price) => text.price(price, places));
    const start = text.start(candle.time, interval);
    const figures = filled(strings.candleSpoken, start, ...words, text.volume(candle.volume));
    setText("spoken", [figures, ...this.#options.notesOf(candle)].join(". "));
  }

  #toRate(index: number, direction: 1 | -1): void {
    const { text, strings, shown } = this.#options;
    const { last, places, rateStep: unit } = shown();
    const rate = this.#rate();
    if (rate === undefined) return;
    const wanted = rateStep(rate, last, places, direction, unit);
    // The crosshair stops where the scale ends.
    const moved = this.#options.drawing.placeOf(Number(wanted)) === "shown" ? wanted : this.#shownRate(rate);
    this.#put(index, moved);
    setText("spoken", filled(strings.rateSpoken, text.price(Number(moved), places)));
  }

  /** Places the crosshair on a candle and a rate, which may fall between two pixels. */
  #put(index: number, rate: string): void {
    const { drawing, shown } = this.#options;
    const candle = shown().candles[index];
    if (!candle) return;
    drawing.reveal(index);
    this.#isByKeys = true;
    this.#point(drawing.point(candle, Number(rate)), rate);
  }

  /** The rate itself, or the nearest one that the scale shows. */
  #shownRate(rate: string): string {
    const { drawing, shown } = this.#options;
    if (drawing.placeOf(Number(rate)) === "shown") return rate;
    const { places, rateStep: step } = shown();
    return rateAt(drawing.within(Number(rate)), places, step) ?? rate;
  }

  /** The crosshair's rate, else the last price. */
  #rate(): string | undefined {
    const { last, candles, places, rateStep: step } = this.#options.shown();
    return this.#pointed?.rate ?? last ?? rateAt(candles.at(-1)?.close ?? Number.NaN, places, step);
  }

  #act(type: "placeBid" | "placeAsk" | "addAlert"): void {
    const rate = this.#rate();
    const { canBid, canAsk } = this.#options.shown();
    if (rate === undefined || !(type === "placeAsk" ? canAsk : canBid)) return;
    this.#options.send(type === "addAlert" ? { type, price: rate } : { type, rate });
  }
}
