/** Waits until `condition` holds, looking again at each turn of the event loop; fails after `limitMs`. */
export async function until(condition: () => boolean, limitMs = 5000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`still not so after ${limitMs} ms: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
