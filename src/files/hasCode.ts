/** Whether the error has one of these system codes: `ENOENT`, `EEXIST`, … */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
