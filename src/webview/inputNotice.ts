/** Much less than the minute for which the host counts an input. */
const EVERY_MS = 20_000;

/**
 * Reports input in this page, at most once in 20 seconds, because the editor does not notice it and would treat the
 * person as away. `now` gives ms of a clock that is never set back.
 */
export function tellOfInput(
  page: { addEventListener(type: string, listener: () => void, options: object): void },
  tell: () => void,
  now = (): number => performance.now(),
): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  const notice = (): void => {
    if (now() - toldAt < EVERY_MS) return;
    toldAt = now();
    tell();
  };
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    page.addEventListener(type, notice, { capture: true, passive: true });
  }
}
