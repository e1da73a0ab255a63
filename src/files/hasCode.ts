/** Whether an error has one of these codes of the system: `ENOENT`, `EEXIST`, … */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
