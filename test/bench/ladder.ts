import { settingKeys } from "../../src/contributions.ts";
import { frameOf } from "../journeys/support/pages.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { serveHttp } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { duration, durationFigure, median, percentile, type Figure } from "./measure.ts";

const BOOKS = 60;
const FRAMES = 300;
const MOST_MS = 50;
/** The price of the best ask, in a book without a number. */
const START = 1_000_000;

interface LadderPage {
  readonly document: { querySelector(selector: string): { textContent: string } | null };
  readonly MutationObserver: new (seen: () => void) => { observe(target: unknown, what: object): void };
  readonly performance: { readonly timeOrigin: number; now(): number };
  requestAnimationFrame(task: () => void): void;
  seen: [price: string, at: number][];
}

/**
 * From the last byte of a book to its best ask in the ladder, in a real editor. The floor is an animation frame that the same page
 * asks for and that draws nothing.
 */
export async function ladderFigures(): Promise<Figure[]> {
  /** When the answer with each price was written. */
  const written = new Map<string, number>();
  const server = await serveHttp(({ path }, response) => {
    response.setHeader("Content-Type", "application/json");
    if (!path.startsWith("/depth")) return void response.end(answerOf(path));
    const price = START + written.size;
    const levels = (first: number, step: number): unknown =>
      Array.from({ length: 100 }, (_, index) => [first + step * index, 1 + (index % 7)]);
    response.end(JSON.stringify({ asks: levels(price, 1), bids: levels(price - 1, -1) }));
    written.set(String(price), performance.timeOrigin + performance.now());
  });
  const depth = { method: "GET", path: "/depth", envelope: "A" };
  const workbench = await Workbench.open("dark", {
    settings: {
      [settingKeys.venue]: "live",
      [settingKeys.baseUrl]: server.url,
      [settingKeys.headerPrefix]: "X-SVC-",
      [settingKeys.features]: { depth },
    },
  });
  try {
    await workbench.row("THB_BTC").waitFor();
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC" });
    await workbench.form.locator("#ask-0:visible").waitFor();
    const frame = await frameOf(workbench.form);
    await frame.evaluate(() => {
      const page = globalThis as unknown as LadderPage;
      const price = page.document.querySelector("#ask-0 .price");
      page.seen = [];
      new page.MutationObserver(() => {
        const text = price?.textContent ?? "";
        // The change is on screen when the next frame begins.
        page.requestAnimationFrame(() =>
          page.seen.push([
            text.replaceAll(/\.0+$|,/g, ""),
            page.performance.timeOrigin + page.performance.now(),
          ]),
        );
      }).observe(price, { childList: true, characterData: true, subtree: true });
    });
    const read = (): Promise<LadderPage["seen"]> =>
      frame.evaluate(() => (globalThis as unknown as LadderPage).seen);
    await waitFor("the books to be seen", async () => (await read()).length > BOOKS, 2 * BOOKS * 1000);
    const times = (await read()).flatMap(([price, at]) => {
      const from = written.get(price);
      return from === undefined ? [] : [at - from];
    });
    const floors = await frame.evaluate(async (count) => {
      const page = globalThis as unknown as LadderPage;
      const waits: number[] = [];
      for (let each = 0; each < count; each += 1) {
        // Not in step with the frames, as a message is not.
        await new Promise((resolve) => setTimeout(resolve, 3 + (each % 11)));
        const start = page.performance.now();
        await new Promise<void>((resolve) => page.requestAnimationFrame(resolve));
        waits.push(page.performance.now() - start);
      }
      return waits;
    }, FRAMES);
    return [
      durationFigure(
        "ladder",
        `book: last byte to ladder in a real editor, p99 (median ${duration(median(times))}; floor: an empty frame)`,
        { ms: percentile(times, 0.99), floor: percentile(floors, 0.99), most: MOST_MS },
      ),
    ];
  } finally {
    await workbench.close();
    await server.close();
  }
}

function answerOf(path: string): string {
  if (path.includes("servertime")) return JSON.stringify({ error: 0, result: Math.floor(Date.now() / 1000) });
  const ticker = {
    id: 1,
    last: START,
    lowestAsk: START,
    highestBid: START - 1,
    percentChange: 0,
    baseVolume: 1,
    quoteVolume: START,
    isFrozen: 0,
    high24hr: START,
    low24hr: START,
  };
  return JSON.stringify({ error: 0, result: { THB_BTC: ticker } });
}
