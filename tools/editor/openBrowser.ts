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
];

/** Starts a headless browser. The caller closes it. */
export async function openBrowser(progress: Progress): Promise<Browser> {
  const { executable, env } = await findBrowser(progress);
  return chromium.launch({ executablePath: executable, args: quiet, env: { ...process.env, ...env } });
}
