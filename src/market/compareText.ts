/** Compares UTF-16 code units, so that the order does not depend on the locale. Below zero if `a` comes first. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
