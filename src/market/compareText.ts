/** Orders texts by their UTF-16 code units, the same on every computer: below zero if `a` comes first. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
