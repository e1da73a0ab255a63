/** Waits until a condition holds, looking again every few ms; fails by name after the limit. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
