import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "./findBrowser.ts";
import type { Progress } from "./installOnce.ts";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-software-rasterizer",
  // Sizes in MB. The workbench fills V8's default of 16 within moments of starting, and again with each change that a
  // test waits for; collecting that garbage took a seventh of a journey's CPU time. Incremental marking would start 3 s
  // after each page's start, far from any limit, and waste about 0.6 s.
  "--js-flags=--min-semi-space-size=128 --max-semi-space-size=128 --initial-old-space-size=512 --no-incremental-marking",
];

/**
 * Starts a headless browser, which the caller must close. `scale`: device pixels to a CSS pixel; that of a browser
 * context alone leaves a canvas, such as a chart's, at one.
 */
export async function openBrowser(progress: Progress, scale = 1): Promise<Browser> {
  const { executable, env } = await findBrowser(progress);
  const args = scale === 1 ? quiet : [...quiet, `--force-device-scale-factor=${scale}`];
  return chromium.launch({ executablePath: executable, args, env: { ...process.env, ...env } });
}
