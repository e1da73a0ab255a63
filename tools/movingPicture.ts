import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { Workbench } from "../test/journeys/support/workbench.ts";
import { root } from "./paths.ts";

const SIZE = { width: 1120, height: 880 };
const FRAME_MS = 250;
/** The largest size of the picture, in bytes. */
const MOST_BYTES = 2_000_000;
const NAME = "live-market.gif";
const PAIR = "THB_BTC";

const FRAMES = 40;
const settings = { "workbench.layoutControl.enabled": false, "window.commandCenter": false };

/** Takes the moving picture of README: prices and order book as the exchange streams them, and a level that sets the rate. */
export async function takeMovingPicture(): Promise<void> {
  const workbench = await Workbench.open("dark2026", { settings, size: SIZE });
  const { form, page } = workbench;
  try {
    await workbench.row(PAIR).waitFor();
    for (const view of ["Orders", "Alerts", "Wallet"]) await fold(workbench, view);
    await workbench.openTicket();
    await workbench.draft({ symbol: PAIR, amount: "5000" });
    await form.locator("#ladder .level:visible").nth(29).waitFor();
    // On the empty middle of the status bar, where the mouse has no effect.
    await page.mouse.move(SIZE.width / 2, SIZE.height - 5);
    await page.locator(".workbench-hover").first().waitFor({ state: "hidden" });
    const frames: Buffer[] = [];
    for (let due = performance.now(); frames.length < FRAMES; due += FRAME_MS) {
      if (frames.length === FRAMES / 2) await form.locator("#ask-3").click();
      frames.push(await page.screenshot({ animations: "disabled", caret: "hide" }));
      await page.waitForTimeout(Math.max(0, due + FRAME_MS - performance.now()));
    }
    await save(frames);
  } catch (error) {
    await workbench.screenshot("failed-moving-picture");
    throw error;
  } finally {
    await workbench.close();
  }
}

async function fold(workbench: Workbench, view: string): Promise<void> {
  const header = workbench.header(view);
  if ((await header.getAttribute("aria-expanded")) === "true") await header.click();
}

async function save(frames: Buffer[]): Promise<void> {
  // Without dither: what did not change costs nothing then.
  const picture = await sharp(frames, { join: { animated: true } })
    .gif({ colours: 128, dither: 0, delay: frames.map(() => FRAME_MS), loop: 0, effort: 10 })
    .toBuffer();
  if (picture.length > MOST_BYTES) throw new Error(`${NAME} has ${picture.length} bytes.`);
  writeFileSync(join(root, "media", NAME), picture);
  console.log(`media/${NAME}: ${Math.round(picture.length / 1000)} kB`);
}
