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
  // In MB. The workbench fills the usual 16 within a moment of its start, and again with each change that the test waits for:
  // collecting this garbage was a seventh of all work of a journey. Each page would also begin to mark its whole heap 3 s after its
  // start, far from any limit: about 0.6 s of work for nothing.
  "--js-flags=--min-semi-space-size=128 --max-semi-space-size=128 --initial-old-space-size=512 --no-incremental-marking",
];

/** Starts a headless browser. The caller closes it. */
export async function openBrowser(progress: Progress): Promise<Browser> {
  const { executable, env } = await findBrowser(progress);
  return chromium.launch({ executablePath: executable, args: quiet, env: { ...process.env, ...env } });
}
