import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import type { LineEnd } from "../../../market/drawnLine.ts";
import type { TrendMark } from "../../../protocol/chartMarks.ts";
import type { Position } from "../plane.ts";
import type { ChartTheme } from "../theme.ts";

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** In px. */
const WIDTH = 1;
const SELECTED_WIDTH = 3;
/** Half the side of the squares at the ends of a selected line. */
const HANDLE = 4;
const LABEL_GAP = 4;

/** Draws trend lines in the pane of the prices. */
export class TrendDrawing implements ISeriesPrimitive<Time> {
  readonly #positionOf: (end: LineEnd) => Position | undefined;
  readonly #views: readonly IPrimitivePaneView[];
  #marks: readonly TrendMark[] = [];
  #theme: ChartTheme | undefined;
  #requestUpdate: (() => void) | undefined;

  constructor(positionOf: (end: LineEnd) => Position | undefined) {
    this.#positionOf = positionOf;
    this.#views = [{ renderer: () => ({ draw: (target) => this.#paint(target) }) }];
  }

  /** Called by the library. */
  attached({ requestUpdate }: SeriesAttachedParameter): void {
    this.#requestUpdate = requestUpdate;
  }

  /** Called by the library. */
  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /** Replaces all lines. */
  draw(marks: readonly TrendMark[], theme: ChartTheme): void {
    this.#marks = marks;
    this.#theme = theme;
    this.#requestUpdate?.();
  }

  #paint(target: Target): void {
    const theme = this.#theme;
    if (!theme || this.#marks.length === 0) return;
    target.useMediaCoordinateSpace(({ context }) => {
      context.font = `${theme.fontSize}px ${theme.fontFamily}`;
      for (const mark of this.#marks) {
        const [from, to] = [this.#positionOf(mark.from), this.#positionOf(mark.to)];
        if (from && to) paintLine(context, mark, from, to, theme);
      }
    });
  }
}

function paintLine(
  context: CanvasRenderingContext2D,
  { label, isSelected = false }: TrendMark,
  from: Position,
  to: Position,
  { text, background, fontSize }: ChartTheme,
): void {
  context.strokeStyle = text;
  context.lineWidth = isSelected ? SELECTED_WIDTH : WIDTH;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  if (isSelected)
    for (const { x, y } of [from, to]) {
      context.fillStyle = background;
      context.lineWidth = WIDTH;
      context.fillRect(x - HANDLE, y - HANDLE, 2 * HANDLE, 2 * HANDLE);
      context.strokeRect(x - HANDLE, y - HANDLE, 2 * HANDLE, 2 * HANDLE);
    }
  if (label === "") return;
  const later = from.x > to.x ? from : to;
  const width = context.measureText(label).width;
  const [x, y] = [later.x - width - LABEL_GAP, later.y - LABEL_GAP - HANDLE];
  context.fillStyle = background;
  context.fillRect(x, y - fontSize, width, fontSize + LABEL_GAP);
  context.fillStyle = text;
  context.fillText(label, x, y);
}
