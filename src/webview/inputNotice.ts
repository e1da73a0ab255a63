/** Well below the minute for which the host considers the user active. */
const EVERY_MS = 20_000;

/**
 * Reports user input in this page, at most once in 20 seconds, because the editor does not notice it and would consider the
 * user idle. `now` is monotonic ms.
 */
export function reportInput(
  page: { addEventListener(type: string, listener: () => void, options: object): void },
  report: () => void,
  now = (): number => performance.now(),
): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const notice = (): void => {
    if (now() - reportedAt < EVERY_MS) return;
    reportedAt = now();
    report();
  };
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    page.addEventListener(type, notice, { capture: true, passive: true });
  }
}
