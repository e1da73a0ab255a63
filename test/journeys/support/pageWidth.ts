import assert from "node:assert/strict";
import { frameOf } from "./pages.ts";
import type { Workbench } from "./workbench.ts";

/** The page's width in CSS pixels in a narrow column beside the code. */
export const NARROW = 300;

/** Gives the ticket on screen this width by changing the window's width. */
export async function givePageWidth({ form, page }: Workbench, wanted: number): Promise<void> {
  const { width, height } = page.viewportSize() ?? assert.fail();
  const frame = await frameOf(form);
  const now = await frame.evaluate(() => (globalThis as unknown as { innerWidth: number }).innerWidth);
  await page.setViewportSize({ width: width - now + wanted, height });
}

/** Texts of the ticket on screen that do not fit where they are shown. */
export function cutOff({ form }: Workbench): Promise<string[]> {
  return form.locator("html").evaluate((page) => {
    interface Box {
      readonly scrollWidth: number;
      readonly clientWidth: number;
      readonly textContent: string | null;
      readonly children: { readonly length: number };
      checkVisibility(): boolean;
    }
    const all = [page, ...page.querySelectorAll("main, main *:not(.sr-only)")] as unknown as Box[];
    return all
      .filter((each) => each.checkVisibility() && each.clientWidth > 0)
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent ?? "");
  });
}
