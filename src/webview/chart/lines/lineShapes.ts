import type { LineEnd, LineShape } from "../../../market/drawnLine.ts";
import {
  type ChartMark,
  isFill,
  isTrend,
  type LineMark,
  type LineRef,
  type TrendMark,
} from "../../../protocol/chartMarks.ts";
import type { Position } from "../plane.ts";

/** What of a line is moved. */
type LinePart = "whole" | "from" | "to";

/** A part of a line that the user can hold. */
export interface Grip {
  readonly ref: LineRef;
  readonly part: LinePart;
}

/** A mark that the user can move. */
export type MovableMark = (LineMark & { readonly ref: LineRef }) | TrendMark;

/** How near a pointer must be, px. */
const REACH_PX = 5;
const END_REACH_PX = 8;

export function isMovable(mark: ChartMark): mark is MovableMark {
  return !isFill(mark) && mark.ref !== undefined;
}

export function shapeOf(mark: MovableMark): LineShape {
  return isTrend(mark)
    ? { kind: "trend", from: mark.from, to: mark.to }
    : { kind: "level", price: mark.rate };
}

/** The mark with another shape of its kind. */
export function withShape(mark: MovableMark, shape: LineShape): MovableMark {
  if (isTrend(mark)) return shape.kind === "trend" ? { ...mark, from: shape.from, to: shape.to } : mark;
  return shape.kind === "level" ? { ...mark, rate: shape.price } : mark;
}

export function isSameLine(one: LineRef, other: LineRef): boolean {
  return one.kind === other.kind && one.id === other.id && edgeOf(one) === edgeOf(other);
}

function edgeOf(ref: LineRef): string {
  return ref.kind === "alert" ? ref.edge : "";
}

/** Every part that keys can hold, in the order of the marks. */
export function gripsOf(marks: readonly ChartMark[]): Grip[] {
  return marks.filter(isMovable).flatMap((mark) =>
    (isTrend(mark) ? (["whole", "from", "to"] as const) : (["whole"] as const)).map((part) => ({
      ref: mark.ref,
      part,
    })),
  );
}

/** The line within reach of a pointer; an end of a line before the line itself, and the last drawn first. */
export function gripAt(
  pointer: Position,
  marks: readonly ChartMark[],
  positionOf: (end: LineEnd) => Position | undefined,
): Grip | undefined {
  const movable = marks.filter(isMovable).toReversed();
  for (const mark of movable.filter(isTrend))
    for (const part of ["from", "to"] as const) {
      const end = positionOf(mark[part]);
      if (end && Math.hypot(pointer.x - end.x, pointer.y - end.y) <= END_REACH_PX)
        return { ref: mark.ref, part };
    }
  const found = movable.find((mark) => {
    const [from, to] = (isTrend(mark) ? [mark.from, mark.to] : [{ at: 0, price: mark.rate }]).map(positionOf);
    if (!from) return false;
    return (to ? distanceTo(from, to, pointer) : Math.abs(from.y - pointer.y)) <= REACH_PX;
  });
  return found && { ref: found.ref, part: "whole" };
}

/** Distance of a point from the line between two others. */
function distanceTo(from: Position, to: Position, { x, y }: Position): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - from.x - share * dx, y - from.y - share * dy);
}

/** The shape after `move` moved the ends that belong to a part; undefined if it cannot be there. */
export function moved(
  shape: LineShape,
  part: LinePart,
  move: (end: LineEnd) => LineEnd | undefined,
): LineShape | undefined {
  if (shape.kind === "level") {
    const end = move({ at: 0, price: shape.price });
    return end && { kind: "level", price: end.price };
  }
  const [from, to] = [
    part === "to" ? shape.from : move(shape.from),
    part === "from" ? shape.to : move(shape.to),
  ];
  return from && to && { kind: "trend", from, to };
}
