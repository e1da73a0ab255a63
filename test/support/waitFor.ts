/** What a condition gives while it does not hold yet. */
type NotYet = false | undefined | null;

/** Waits until a condition holds, looking again at short intervals, and returns what it gave; fails by name after the limit. */
export async function waitFor<T>(
  what: string,
  condition: () => T | NotYet | Promise<T | NotYet>,
  limitMs = 10_000,
): Promise<Exclude<T, NotYet>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined && value !== null) return value as Exclude<T, NotYet>;
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
