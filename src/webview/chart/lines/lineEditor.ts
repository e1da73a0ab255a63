import { Decimal, parseDecimal, plainText } from "../../../market/numbers/decimal.ts";
import type { LineEnd, LineShape } from "../../../market/drawnLine.ts";
import type { Interval } from "../../../market/intervals.ts";
import type { ChartStrings, FromChart } from "../../../protocol/chart.ts";
import type { ChartMark, LineRef } from "../../../protocol/chartMarks.ts";
import { element, setText } from "../../dom.ts";
import { shortcutKey } from "../../keys.ts";
import { rateStep } from "../../ticket/totals.ts";
import { filled } from "../../words.ts";
import type { ChartDrawing } from "../drawing.ts";
import { type ChartFormat, rateAt } from "../format.ts";
import type { Position } from "../plane.ts";
import {
  type Grip,
  gripAt,
  gripsOf,
  isMovable,
  isSameLine,
  type MovableMark,
  moved,
  shapeOf,
  withShape,
} from "./lineShapes.ts";

interface LineEditorOptions {
  readonly drawing: ChartDrawing;
  readonly text: ChartFormat;
  readonly strings: ChartStrings["lines"];
  readonly shown: () => {
    readonly interval: Interval;
    readonly places: number;
    /** Tick size; undefined if unknown. */
    readonly rateStep: Decimal | undefined;
    /** Last price as decimal text. */
    readonly last: string | undefined;
  };
  /** Where the crosshair is; undefined if it is hidden or off the prices. */
  readonly pointed: () => LineEnd | undefined;
  /** Called when the marks must be drawn again. */
  readonly changed: () => void;
  readonly send: (message: FromChart) => void;
}

type State =
  | { readonly kind: "idle" }
  /** The user chooses where a new line goes. A trend line has its first end before the second one. */
  | {
      readonly kind: "drawing";
      readonly shape: LineShape["kind"];
      readonly from?: LineEnd;
      readonly to?: LineEnd;
    }
  | {
      readonly kind: "selected";
      readonly grip: Grip;
      /** Where the line was moved; undefined if it is where the host says. */
      readonly shape?: LineShape | undefined;
      /** The host was asked to move it. */
      readonly isSent?: boolean;
    };

interface Drag {
  readonly start: Position;
  readonly shape: LineShape;
}

/** A pointer that moves less does not drag, px. */
const DRAG_PX = 3;
/** Steps of the price that Shift takes. */
const MANY_STEPS = 10;

/** Draws lines, and moves, edits and removes them and the lines of alerts, by pointer and by keys. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #chart = element("chart", HTMLElement);
  readonly #tools = element("line-tools", HTMLElement);
  readonly #edit = element("line-edit", HTMLButtonElement);
  #marks: readonly ChartMark[] = [];
  #state: State = { kind: "idle" };
  #drag: Drag | undefined;
  /** Where the pointer was pressed while a line is drawn. */
  #pressed: Position | undefined;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    for (const [id, shape] of [
      ["draw-level", "level"],
      ["draw-trend", "trend"],
    ] as const)
      element(id, HTMLButtonElement).addEventListener("click", () => {
        this.#draw(shape);
        this.#chart.focus();
      });
    this.#edit.addEventListener("click", () => this.#editSelected());
    element("line-remove", HTMLButtonElement).addEventListener("click", () => this.#removeSelected());
    // Before the keys of the crosshair.
    this.#chart.addEventListener("keydown", (event) => this.#press(event), { capture: true });
    this.#chart.addEventListener("pointerdown", (event) => this.#hold(event), { capture: true });
    this.#chart.addEventListener("pointermove", (event) => this.#hover(event));
    window.addEventListener("pointermove", (event) => this.#dragTo(event));
    window.addEventListener("pointerup", (event) => this.#release(event));
    window.addEventListener("pointercancel", () => this.cancel());
    // A press of the pointer takes the focus from the chart and gives it back.
    document.addEventListener("focusin", ({ target }) => {
      const stays =
        target instanceof Node && [this.#chart, this.#tools].some((each) => each.contains(target));
      if (!stays) this.cancel();
    });
    window.addEventListener("blur", () => this.cancel());
  }

  /** Whether a line is selected or being drawn, so that the crosshair gives way. */
  get isActive(): boolean {
    return this.#state.kind !== "idle";
  }

  setMarks(marks: readonly ChartMark[]): void {
    this.#marks = marks;
    const state = this.#state;
    if (state.kind !== "selected") return;
    if (!this.#markOf(state.grip.ref)) return this.cancel();
    if (state.isSent) this.#set({ kind: "selected", grip: state.grip });
  }

  /** The marks of the host, with the line being moved or drawn. */
  get marks(): readonly ChartMark[] {
    const state = this.#state;
    if (state.kind === "drawing") return [...this.#marks, ...newTrend(state)];
    if (state.kind !== "selected") return this.#marks;
    return this.#marks.map((mark) =>
      isMovable(mark) && isSameLine(mark.ref, state.grip.ref)
        ? { ...withShape(mark, state.shape ?? shapeOf(mark)), isSelected: true }
        : mark,
    );
  }

  /** Ends what the user began. */
  cancel(): void {
    this.#endDrag();
    this.#set({ kind: "idle" });
  }

  /** Call when the crosshair moved, or the chart under it. */
  follow(): void {
    this.#preview(this.#options.pointed());
    this.#showTools();
  }

  #set(state: State): void {
    if (state.kind === "idle" && this.#state.kind === "idle") return;
    this.#state = state;
    setText("line-hint", this.#hint());
    this.#options.changed();
    this.#showTools();
  }

  #hint(): string {
    const { strings } = this.#options;
    const state = this.#state;
    if (state.kind === "idle") return "";
    if (state.kind === "selected") return strings.selected;
    if (state.shape === "level") return strings.chooseLevel;
    return state.from ? strings.chooseEnd : strings.chooseStart;
  }

  /** Begins a line; at the crosshair if there is one. */
  #draw(shape: LineShape["kind"]): void {
    const pointed = this.#options.pointed();
    this.#set({ kind: "drawing", shape });
    if (pointed) this.#put(pointed);
  }

  /** Puts the next point of the line being drawn. */
  #put(point: LineEnd): void {
    const state = this.#state;
    if (state.kind !== "drawing") return;
    if (state.shape === "trend" && !state.from) return this.#set({ ...state, from: point });
    const { from } = state;
    const isPoint = from?.at === point.at && from.price === point.price;
    if (isPoint) return;
    this.#set({ kind: "idle" });
    const shape: LineShape = from
      ? { kind: "trend", from, to: point }
      : { kind: "level", price: point.price };
    this.#options.send({ type: "drawLine", shape });
  }

  #preview(point: LineEnd | undefined): void {
    const state = this.#state;
    if (state.kind !== "drawing" || !state.from || !point) return;
    if (point.at === state.to?.at && point.price === state.to.price) return;
    this.#state = { ...state, to: point };
    this.#options.changed();
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = this.#actOf(shortcutKey(event), event.shiftKey);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  #actOf(key: string, isShift: boolean): (() => void) | undefined {
    const { kind } = this.#state;
    switch (key) {
      case "h":
        return () => this.#draw("level");
      case "t":
        return () => this.#draw("trend");
      case "n":
        return () => this.#selectNext(isShift ? -1 : 1);
    }
    if (kind === "idle") return undefined;
    if (key === "Escape") return () => this.cancel();
    if (kind === "drawing") return key === "Enter" ? () => this.#putByKey() : undefined;
    const steps = isShift ? MANY_STEPS : 1;
    switch (key) {
      case "ArrowUp":
        return () => this.#step(steps, 0);
      case "ArrowDown":
        return () => this.#step(-steps, 0);
      case "ArrowLeft":
        return () => this.#step(0, -steps);
      case "ArrowRight":
        return () => this.#step(0, steps);
      case "Enter":
        return () => this.#sendMove();
      case "Delete":
      case "Backspace":
        return () => this.#removeSelected();
      case "F2":
        return () => this.#editSelected();
      default:
        return undefined;
    }
  }

  #putByKey(): void {
    const pointed = this.#options.pointed();
    if (pointed) this.#put(pointed);
  }

  #selectNext(direction: 1 | -1): void {
    const grips = gripsOf(this.#marks);
    const state = this.#state;
    const at =
      state.kind === "selected"
        ? grips.findIndex(({ ref, part }) => part === state.grip.part && isSameLine(ref, state.grip.ref))
        : direction === 1
          ? -1
          : 0;
    const grip = grips.at((at + direction) % grips.length);
    const mark = grip && this.#markOf(grip.ref);
    const { strings } = this.#options;
    if (!grip || !mark) return setText("spoken", strings.none);
    this.#set({ kind: "selected", grip });
    const ends = { from: strings.start, to: strings.end } as const;
    setText("spoken", grip.part === "whole" ? mark.text : filled(ends[grip.part], mark.text));
  }

  /** Moves the selected part by steps of the price and by candles. */
  #step(steps: number, candles: number): void {
    const state = this.#state;
    const mark = state.kind === "selected" && this.#markOf(state.grip.ref);
    if (state.kind !== "selected" || !mark) return;
    const before = state.shape ?? shapeOf(mark);
    if (before.kind === "level" && steps === 0) return;
    const { drawing, shown, text } = this.#options;
    const { last, places, rateStep: unit, interval } = shown();
    // Both ends of a line move by the same amount.
    const first =
      before.kind === "level" ? before.price : before[state.grip.part === "to" ? "to" : "from"].price;
    const by = new Decimal(rateStep(first, last, places, steps, unit)).minus(first);
    let spoken: LineEnd | undefined;
    const shape = moved(before, state.grip.part, ({ at, price }) => {
      const to = steps === 0 ? parseDecimal(price) : new Decimal(price).plus(by);
      if (!to?.gt("0")) return undefined;
      const end = { at: candles === 0 ? at : drawing.plane.candleBeside(at, candles), price: plainText(to) };
      spoken ??= end;
      return end;
    });
    if (!shape || !spoken) return;
    this.#set({ kind: "selected", grip: state.grip, shape });
    const price = text.price(Number(spoken.price), places);
    setText("spoken", candles === 0 ? price : `${text.start(spoken.at, interval)}, ${price}`);
  }

  #sendMove(): void {
    const state = this.#state;
    if (state.kind !== "selected" || !state.shape || state.isSent) return;
    const { grip, shape } = state;
    this.#set({ kind: "selected", grip, shape, isSent: true });
    this.#options.send({ type: "moveLine", ref: grip.ref, shape });
  }

  #editSelected(): void {
    this.#finish((ref) => this.#options.send({ type: "editLine", ref }));
  }

  #removeSelected(): void {
    this.#finish((ref) => this.#options.send({ type: "removeLine", ref }));
  }

  #finish(act: (ref: LineRef) => void): void {
    const state = this.#state;
    if (state.kind !== "selected") return;
    this.#chart.focus();
    this.cancel();
    act(state.grip.ref);
  }

  #hold(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const start = this.#positionOf(event);
    if (this.#state.kind === "drawing") {
      this.#pressed = start;
      return;
    }
    const grip = this.#gripAt(start);
    const mark = grip && this.#markOf(grip.ref);
    if (!grip || !mark) return this.cancel();
    this.#drag = { start, shape: shapeOf(mark) };
    // Otherwise the chart scrolls with the pointer.
    this.#options.drawing.setHeld(true);
    this.#set({ kind: "selected", grip });
  }

  #dragTo(event: PointerEvent): void {
    const [state, drag] = [this.#state, this.#drag];
    if (!drag || state.kind !== "selected") return;
    const { x, y } = this.#positionOf(event);
    const by = { x: x - drag.start.x, y: y - drag.start.y };
    if (!state.shape && !isDrag(by)) return;
    const shape = moved(drag.shape, state.grip.part, (end) => {
      const position = this.#options.drawing.plane.positionOf(end);
      return position && this.#pointAt({ x: position.x + by.x, y: position.y + by.y });
    });
    if (shape) this.#set({ kind: "selected", grip: state.grip, shape });
  }

  #release(event: PointerEvent): void {
    if (this.#pressed) return this.#click(this.#pressed, this.#positionOf(event));
    if (!this.#drag || !event.isPrimary) return;
    this.#endDrag();
    this.#showTools();
    this.#sendMove();
  }

  /** The chart was pressed and released; in between, it may have been scrolled. */
  #click(pressed: Position, released: Position): void {
    this.#pressed = undefined;
    if (isDrag({ x: released.x - pressed.x, y: released.y - pressed.y })) return;
    const point = this.#options.drawing.plane.contains(released) ? this.#pointAt(released) : undefined;
    if (point) this.#put(point);
  }

  #endDrag(): void {
    if (!this.#drag) return;
    this.#drag = undefined;
    this.#options.drawing.setHeld(false);
  }

  /** Shows what a press of the pointer would hold. */
  #hover(event: PointerEvent): void {
    if (this.#drag || this.#state.kind === "drawing") return;
    const grip = this.#gripAt(this.#positionOf(event));
    const mark = grip && this.#markOf(grip.ref);
    this.#chart.dataset["line"] = mark?.kind === "trend" ? "trend" : mark ? "level" : "";
  }

  #gripAt(position: Position): Grip | undefined {
    const { plane } = this.#options.drawing;
    if (!plane.contains(position)) return undefined;
    return gripAt(position, this.#marks, (end) => plane.positionOf(end));
  }

  #positionOf({ clientX, clientY }: PointerEvent): Position {
    const { left, top } = this.#chart.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** The candle and the price at a position, which an order could have. */
  #pointAt(position: Position): LineEnd | undefined {
    const { places, rateStep: step } = this.#options.shown();
    const point = this.#options.drawing.plane.pointAt(position);
    const price = point && rateAt(point.price, places, step);
    return price === undefined ? undefined : { at: point?.at ?? 0, price };
  }

  #markOf(ref: LineRef): MovableMark | undefined {
    return this.#marks.filter(isMovable).find((mark) => isSameLine(mark.ref, ref));
  }

  /** Keeps the buttons of the selected line beside it. */
  #showTools(): void {
    const state = this.#state;
    const mark = state.kind === "selected" && this.#markOf(state.grip.ref);
    this.#tools.hidden = !mark || this.#drag !== undefined;
    if (state.kind !== "selected" || !mark) return;
    const { strings, drawing } = this.#options;
    setText(this.#edit, mark.ref.kind === "alert" ? strings.edit : strings.rename);
    const shape = state.shape ?? shapeOf(mark);
    const price = shape.kind === "level" ? shape.price : shape.to.price;
    const top = drawing.plane.topOf(String(drawing.within(Number(price)))) ?? 0;
    this.#tools.style.top = `${top}px`;
  }
}

function isDrag({ x, y }: Position): boolean {
  return Math.hypot(x, y) >= DRAG_PX;
}

/** The trend line being drawn. */
function newTrend({ from, to }: Extract<State, { kind: "drawing" }>): ChartMark[] {
  if (!from || !to) return [];
  return [{ kind: "trend", from, to, label: "", text: "", ref: { kind: "drawn", id: "" }, isSelected: true }];
}
