/** Midnight in the computer's time zone, ms. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `2026-11-21`, in the computer's time zone: sorts by time in every language. */
export function localDate(at: number): string {
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((each) => String(each).padStart(2, "0"));
  return `${String(date.getFullYear()).padStart(4, "0")}-${month}-${day}`;
}

/** Lengths of a date that name its period. */
const PERIOD_LENGTHS = { day: 10, month: 7, year: 4 } as const;

/** The local day, month or year: `2026-11-21`, `2026-11` or `2026`. */
export function localPeriod(at: number, period: keyof typeof PERIOD_LENGTHS): string {
  return localDate(at).slice(0, PERIOD_LENGTHS[period]);
}
