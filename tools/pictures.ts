// npm run pictures: takes new pictures for README and walkthrough, from the packaged extension in a real editor.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { startPractice } from "../src/practice/http/server.ts";
import { livePair } from "../test/journeys/support/openLive.ts";
import type { Theme } from "../test/journeys/support/themes.ts";
import { Workbench } from "../test/journeys/support/workbench.ts";
import { readCommandLine } from "./commandLine.ts";
import { takeMovingPicture } from "./movingPicture.ts";
import { root } from "./paths.ts";

const SIZE = { width: 1600, height: 900 };
/** The whole window, in which the ticket has its order book beside it. */
const WHOLE = { width: 1920, height: 960 };
const TICKET_WIDTH = 720;
const SCALE = 2;
/** The largest size of a picture, in bytes: the package contains all pictures. */
const MOST_BYTES = 600_000;
const PAIR = "THB_BTC";

/** The code that the person works on. */
const files = {
  "average.py": `from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """A price and the volume traded at it."""

    price: float
    volume: float
    at: float


def average_price(trades: list[Trade]) -> float:
    """The average price, weighted by volume."""
    paid = sum(t.price * t.volume for t in trades)
    volume = sum(t.volume for t in trades)
    return paid / volume if volume else 0.0


def latest(trades: list[Trade], now: float, seconds: float):
    """The trades of the last seconds before now."""
    return [t for t in trades if now - t.at < seconds]


def spread(bid: float, ask: float) -> float:
    """How far bid and ask are apart, in percent."""
    return 100 * (ask - bid) / ask
`,
};

const settings = {
  "editor.minimap.enabled": false,
  "editor.wordWrap": "on",
  "workbench.editor.showTabs": "single",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "breadcrumbs.enabled": false,
};

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes all pictures in one theme; the names of the walkthrough's end in `shade`. */
async function take(theme: Theme, shade: "dark" | "light"): Promise<void> {
  const exchange = await startPractice({ credentials: livePair, now: Date.now });
  const workbench = await Workbench.open(theme, { files, settings, size: SIZE, scale: SCALE });
  const { page } = workbench;
  const keep = async (step: string, area?: Area): Promise<void> =>
    await save(page, `walkthrough/${step}-${shade}.png`, area);
  try {
    await openFile(workbench, "average.py");
    await workbench.rows.first().waitFor();
    // From left to right: the code, the chart, the ticket. Each page opens in a new group.
    await workbench.press("Control+Backslash");
    await page.locator(".editor-group-container >> nth=1").waitFor();
    await workbench.command("Bidside: Place Bid");
    await workbench.ticketIsReady();
    await workbench.draft({ symbol: PAIR, amount: "5000" });
    await workbench.form.locator("#total", { hasText: "5,000.00" }).waitFor();
    await workbench.press("Control+1");
    await page.locator(".editor-group-container.active .view-lines").waitFor();
    await workbench.press("Control+Backslash");
    await page.locator(".editor-group-container >> nth=2").waitFor();
    await workbench.command("Bidside: Open Chart");
    // The chart is the last opened of the two pages.
    const chart = page.frameLocator("iframe.webview.ready >> nth=1").frameLocator("#active-frame");
    await chart.locator("#chart canvas").first().waitFor();
    await restPointer(workbench);
    // The walkthrough has its text beside the picture, and a tall picture pushes the text out of sight.
    await page.setViewportSize({ width: SIZE.width, height: 640 });
    await keep("watch", await areaOf(workbench, ".part.sidebar"));
    await keep("chart", await areaOf(workbench, ".editor-group-container >> nth=1"));
    await keep("bid", await areaOf(workbench, ".editor-group-container >> nth=2"));
    if (shade === "dark") await takeWhole(workbench);
    await workbench.command("Bidside: Set Up Live Exchange");
    await workbench.type("Live Exchange", exchange.baseUrl);
    await workbench.type("Header Prefix", "X-SVC-");
    await workbench.type("API Key for", livePair.apiKey);
    await workbench.type("API Secret for", livePair.apiSecret);
    await workbench.quickInput.getByText("Switch to Live").waitFor();
    await keep("live", await areaOf(workbench, ".quick-input-widget"));
  } catch (error) {
    await workbench.screenshot(`failed-pictures-${shade}`);
    throw error;
  } finally {
    await workbench.close();
    await exchange.close();
  }
}

/** Takes the picture of the whole window. */
async function takeWhole(workbench: Workbench): Promise<void> {
  const { page, form } = workbench;
  const before = page.viewportSize() ?? SIZE;
  await page.setViewportSize(WHOLE);
  const left = (await areaOf(workbench, ".editor-group-container >> nth=0")).x;
  const width = WHOLE.width - left;
  await moveEdge(workbench, ".editor-group-container >> nth=2", WHOLE.width - TICKET_WIDTH);
  await moveEdge(workbench, ".editor-group-container >> nth=1", left + (width - TICKET_WIDTH) / 2);
  await form.locator("#ladder .level:visible").nth(29).waitFor();
  await restPointer(workbench);
  await page.locator(".editor-scrollable > .scrollbar.vertical.invisible").waitFor({ state: "attached" });
  await save(page, "screenshot.png");
  await page.setViewportSize(before);
}

/** Moves the left edge of a part of the window, as a person does with the mouse. */
async function moveEdge(workbench: Workbench, part: string, to: number): Promise<void> {
  const { x, y, height } = await areaOf(workbench, part);
  const { mouse } = workbench.page;
  await mouse.move(x, y + height / 2);
  await mouse.down();
  await mouse.move(to, y + height / 2, { steps: 5 });
  await mouse.up();
}

/** On the empty middle of the status bar, where the mouse has no effect. */
async function restPointer({ page }: Workbench): Promise<void> {
  const { width, height } = page.viewportSize() ?? SIZE;
  await page.mouse.move(width / 2, height - 5);
}

async function openFile(workbench: Workbench, name: string): Promise<void> {
  await workbench.press("Control+P");
  await workbench.quickInput.locator("input.input").fill(name);
  await workbench.quickInput.locator(".monaco-list-row", { hasText: name }).first().waitFor();
  await workbench.press("Enter");
  await workbench.page.locator(".view-lines", { hasText: "dataclass" }).waitFor();
}

/** The position of a part of the window. */
async function areaOf({ page }: Workbench, part: string): Promise<Area> {
  const area = await page.locator(part).boundingBox();
  if (!area) throw new Error(`${part} is not on screen.`);
  return area;
}

/** Keeps a picture of the page, or of an area of the page, under media/. */
async function save(page: Page, name: string, clip?: Area): Promise<void> {
  const png = await page.screenshot({ ...(clip && { clip }), animations: "disabled", caret: "hide" });
  // At most 256 colours: a third of the size, without a visible difference in a picture of an editor.
  const small = await sharp(png).png({ palette: true }).toBuffer();
  if (small.length > MOST_BYTES) throw new Error(`${name} has ${small.length} bytes.`);
  writeFileSync(join(root, "media", name), small);
  console.log(`media/${name}: ${Math.round(small.length / 1000)} kB`);
}

const { values } = readCommandLine({
  usage: `Usage: npm run pictures [-- --moving]

Takes the pictures of README and walkthrough anew, in dark and light, and writes them into media/. Look at them afterwards.

  --moving takes only the moving picture
  --help   prints this`,
  options: { moving: { type: "boolean", default: false } },
});
if (!values.moving) {
  await take("dark2026", "dark");
  await take("light2026", "light");
}
await takeMovingPicture();
