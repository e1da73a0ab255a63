/** An error and its causes on one line, for the log. */
export function errorLine(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause)
    parts.push(each.message);
  return parts.length > 0 ? parts.join(" ← ") : String(error);
}
