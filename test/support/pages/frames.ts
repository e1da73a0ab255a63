import type { Page } from "playwright-core";

/** Resolves when the page has begun this many more animation frames. */
export async function nextFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (count) => {
    const { requestAnimationFrame } = globalThis as unknown as {
      requestAnimationFrame(callback: () => void): void;
    };
    for (let frame = 0; frame < count; frame += 1)
      await new Promise<void>((resolve) => requestAnimationFrame(resolve));
  }, count);
}
