import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { toolsFolder } from "../../tools/paths.ts";

const screenshots = join(toolsFolder, "screenshots");

/**
 * Keeps a picture of a window under .vscode-test/screenshots/. A picture of Playwright takes twice the work: it is compressed well, and
 * every frame of the page is prepared first.
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const { data } = await devtools.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
    mkdirSync(screenshots, { recursive: true });
    writeFileSync(join(screenshots, `${name}.png`), data, "base64");
  } finally {
    await devtools.detach();
  }
}

/** Keeps a picture of a browser's last window in a file; the windows before go into files with a number. */
export async function keepPictures(browser: Browser, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.toReversed().entries()) {
    const path = index === 0 ? file : file.replace(/\.png$/, `-${index + 1}.png`);
    await page.screenshot({ path, timeout: 5000 }).catch(() => undefined);
  }
}
