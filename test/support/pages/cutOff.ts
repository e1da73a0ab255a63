import type { Locator } from "playwright-core";

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly textContent: string | null;
  checkVisibility(): boolean;
}

/** The texts of a page that do not fit where they are shown. `html` locates the root of its document. */
export function cutOff(html: Locator): Promise<string[]> {
  return html.evaluate((page) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle(box: Box): { readonly overflowX: string };
    };
    const all = [
      page,
      ...page.querySelectorAll("main, main *:not(.sr-only, .sr-only *)"),
    ] as unknown as Box[];
    return (
      all
        .filter((each) => each.checkVisibility() && each.clientWidth > 0)
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        // The table of candles can be scrolled.
        .filter((each) => getComputedStyle(each).overflowX !== "auto")
        .map(({ textContent }) => textContent ?? "")
    );
  });
}
