import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import sharp from "sharp";
import type { Workbench } from "../../test/journeys/support/workbench.ts";
import { root } from "../paths.ts";

/** The code in the editor, and the watch lists to import. */
export const files = {
  "lists.json": JSON.stringify({
    bidsideWatchLists: 1,
    lists: [
      {
        name: "Layer 1",
        pairs: ["BTC/THB", "ETH/THB", "SOL/THB", "ADA/THB", "AVAX/THB", "NEAR/THB", "SUI/THB", "DOT/THB"],
      },
      { name: "Payments", pairs: ["XRP/THB", "XLM/THB", "LTC/THB", "BCH/THB"] },
      { name: "Stable", pairs: ["USDT/THB", "USDC/THB"] },
    ],
  }),
  "average.py": `from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    """A price and its volume."""

    price: float
    volume: float


def average(trades: list[Trade]):
    """Weighted by volume."""
    paid = sum(t.price * t.volume
               for t in trades)
    return paid / sum(t.volume
                      for t in trades)


def spread(bid: float, ask: float):
    """Bid to ask, in percent."""
    return 100 * (ask - bid) / ask
`,
};

/** Settings for an uncluttered window with room for the pages. */
export const settings = {
  "editor.minimap.enabled": false,
  "editor.renderLineHighlight": "none",
  "editor.stickyScroll.enabled": false,
  "workbench.editor.showTabs": "single",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "breadcrumbs.enabled": false,
  // A notification would cover part of the picture.
  "bidside.orders.announceFills": "off",
};

/** Status bar items that only an editor in a browser has. */
const BROWSER_ONLY = '[id="status.workbench.keyboardLayout"], [id="status.forwardedPorts"]';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Hides everything that a desktop editor does not have. */
export async function lookLikeDesktop({ page }: Workbench): Promise<void> {
  await page.addStyleTag({ content: `${BROWSER_ONLY} { display: none !important; }` });
}

/** Opens a file by name, in the active group. */
export async function openFile(workbench: Workbench, name: string): Promise<void> {
  await workbench.press("Control+P");
  await workbench.quickInput.locator("input.input").fill(name);
  await workbench.quickInput.locator(".monaco-list-row", { hasText: name }).first().waitFor();
  await workbench.press("Enter");
  await workbench.page.locator(".view-lines", { hasText: "dataclass" }).waitFor();
}

/** Expands or collapses a view in the side bar. */
export async function unfold(workbench: Workbench, view: string, isOpen = true): Promise<void> {
  const header = workbench.header(view);
  if ((await header.getAttribute("aria-expanded")) !== String(isOpen)) await header.click();
}

/** Drags with the mouse from one point to another, for example to move a border. */
export async function drag(
  { page: { mouse } }: Workbench,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<void> {
  await mouse.move(...from);
  await mouse.down();
  await mouse.move(...to, { steps: 5 });
  await mouse.up();
}

/** Moves the mouse to an empty part of the status bar, where it has no effect. */
export async function restPointer({ page }: Workbench): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width * 0.93, height - 5);
  await page.locator(".workbench-hover").first().waitFor({ state: "hidden" });
}

/** The bounding box of an element. Throws if it is not on screen. */
export async function areaOf(part: Locator): Promise<Area> {
  const area = await part.boundingBox();
  if (!area) throw new Error(`${part} is not on screen.`);
  return area;
}

/**
 * Saves a screenshot of the window, or of the area `clip`, under media/. Throws if it is larger than `mostBytes`,
 * because the package contains these files.
 */
export async function save({ page }: Workbench, name: string, mostBytes: number, clip?: Area): Promise<void> {
  const png = await page.screenshot({ ...(clip && { clip }), animations: "disabled", caret: "hide" });
  // 256 colours take a third of the space without a visible difference in a screenshot of an editor. Dithering would
  // make large areas uneven.
  writePicture(name, await sharp(png).png({ palette: true, dither: 0, effort: 10 }).toBuffer(), mostBytes);
}

/** Writes a file under media/. Throws if it is larger than `mostBytes`. */
export function writePicture(name: string, picture: Uint8Array, mostBytes: number): void {
  if (picture.length > mostBytes) throw new Error(`${name} has ${picture.length} bytes.`);
  writeFileSync(join(root, "media", name), picture);
  console.log(`media/${name}: ${Math.round(picture.length / 1000)} kB`);
}
