import * as vscode from "vscode";
import { memoized } from "../../market/numbers/memoized.ts";
import { hourCycle } from "./hourCycle.ts";

/** Times and ages for display, in the editor's language and the local time zone. */

const DAY_MS = 86_400_000;
const made = new Map<string, Intl.DateTimeFormat>();
/** By unit: creating a format takes as long as painting a row. */
const ageFormat = memoized(
  (unit: string) => new Intl.NumberFormat(vscode.env.language, { style: "unit", unit, unitDisplay: "short" }),
);

function format(given: Intl.DateTimeFormatOptions, ms: number): string {
  const options = { ...given, hourCycle: hourCycle() };
  // A laptop's time zone may change, but a format keeps its own.
  const key = `${JSON.stringify(options)} ${new Date(ms).getTimezoneOffset()}`;
  let formatter = made.get(key);
  if (!formatter) made.set(key, (formatter = new Intl.DateTimeFormat(vscode.env.language, options)));
  return formatter.format(ms);
}

/** Time of day with seconds: `9:07:31 PM`. */
export function timeText(ms: number): string {
  return format({ timeStyle: "medium" }, ms);
}

/** Time of day; with the date if not today, and with the year if not this year. */
export function momentText(ms: number, now: number): string {
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  if (isSameDay(ms, now)) return format(clock, ms);
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return format({ ...(!isThisYear && { year: "numeric" }), month: "short", day: "numeric", ...clock }, ms);
}

/** The date alone. */
export function dayText(ms: number): string {
  return format({ dateStyle: "medium" }, ms);
}

/** Date and time with seconds; only the time if `reference` is on the same day. */
export function dateTimeText(ms: number, reference?: number): string {
  if (reference !== undefined && isSameDay(ms, reference)) return timeText(ms);
  return format({ dateStyle: "medium", timeStyle: "medium" }, ms);
}

const UNITS = [
  { name: "second", ms: 1000, from: 0 },
  { name: "minute", ms: 60_000, from: 120_000 },
  { name: "hour", ms: 3_600_000, from: 7_200_000 },
  { name: "day", ms: DAY_MS, from: 2 * DAY_MS },
] as const;

/** An age in the largest unit that has passed at least twice: 75 sec, 3 min, 2 hr. Rounded down. */
export function ageText(ms: number): string {
  const { name, ms: length } = unitOf(ms);
  return ageFormat(name).format(Math.floor(Math.max(0, ms) / length));
}

/** How long the text of an age stays valid, ms. */
export function ageValidMs(ms: number): number {
  const { ms: length } = unitOf(ms);
  return ms < 0 ? length - ms : length - (ms % length);
}

function unitOf(ms: number): (typeof UNITS)[number] {
  return UNITS.findLast(({ from }) => ms >= from) ?? UNITS[0];
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
