import { frameOf, pageWith } from "../journeys/support/pages.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { accountAt } from "../support/builders/account.ts";
import { serveStreams } from "../support/servers/streams.ts";
import { waitFor } from "../support/waitFor.ts";
import { installBenchExtension } from "./benchExtension.ts";
import { duration, durationFigure, median, p99OfParts, PART, type Figure } from "./measure.ts";

const BOOKS = 7 * PART;
const MAX_MS = 50;
const LONG_MS = 240_000;
/** Time between two books, ms. In no step with the frames of the page, and no book waits for the one before. */
const [SHORTEST_MS, LONGEST_MS] = [80, 180];
const COMMAND = "Bench: Open Bare Page";
/** The price of the best ask, in a book without a number. */
const START = 1_000_000;
const LEVELS = 15;
/** The best ask of a poll lies this much higher, so that no poll counts as a book of the stream. */
const READING = 0.5;
const STREAM_PATH = "/websocket-api/orderbook/";

interface LadderPage {
  readonly document: { querySelector(selector: string): { textContent: string } | null };
  readonly MutationObserver: new (seen: () => void) => { observe(target: unknown, what: object): void };
  readonly performance: { readonly timeOrigin: number; now(): number };
  requestAnimationFrame(task: () => void): void;
  seen: [price: string, at: number][];
  /** ms from the host's message to the frame, in the floor's page. */
  delays: number[];
}

/**
 * From the frame of a stream with a book to its best ask in the ladder, in a real editor. The floor is the way of a number from an
 * extension to the page of a webview that only shows the number, beside the ladder and at the same time.
 */
export async function ladderFigure(): Promise<Figure> {
  /** When the frame with each price was written. */
  const written = new Map<string, number>();
  const server = await serveStreams({
    answer: ({ url = "" }, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerOf(url, START + written.size)));
    },
    opened: (socket) => {
      const sendBook = (): void => {
        if (socket.readyState !== socket.OPEN) return;
        const price = START + written.size;
        const [asks, bids] = [levels(price, 1), levels(price - 1, -1)].map((side) =>
          side.map(([level, size]) => ({ price: level, base_volume: size })),
        );
        socket.send(JSON.stringify({ event: "depthchanged", data: { asks, bids }, pairing_id: 1 }));
        written.set(String(price), performance.timeOrigin + performance.now());
        setTimeout(sendBook, SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS));
      };
      sendBook();
    },
  });
  const endpoint = (path: string): object => ({ method: "GET", path, envelope: "A" });
  const workbench = await Workbench.open();
  try {
    await workbench.reset({
      accounts: [
        accountAt(server.url.replace("ws", "http"), {
          features: {
            depth: endpoint("/depth"),
            symbols: endpoint("/symbols"),
            bookStream: { path: STREAM_PATH },
          },
        }),
      ],
    });
    await installBarePage(workbench);
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
    await workbench.command(COMMAND);
    const bare = await frameOf(pageWith(workbench.page, "#number"));
    await workbench.form.locator("#ask-0:visible").waitFor();
    const read = (): Promise<LadderPage["seen"]> =>
      frame.evaluate(() => (globalThis as unknown as LadderPage).seen);
    const waits = async (): Promise<number[]> =>
      (await read()).flatMap(([price, at]) => {
        const from = written.get(price);
        return from === undefined ? [] : [at - from];
      });
    await waitFor("the books to be seen", async () => (await waits()).length >= BOOKS, LONG_MS);
    const times = await waits();
    const floors = await bare.evaluate(() => (globalThis as unknown as LadderPage).delays);
    const [ms, floor] = [times, floors].map(p99OfParts) as [number, number];
    return durationFigure(
      `frame of a book to ladder in a real editor, p99 of ${times.length} (median ${duration(median(times))}; floor: a number to a bare page, median ${duration(median(floors))})`,
      { ms, floor, most: MAX_MS },
    );
  } finally {
    await workbench.close();
    await server.close();
  }
}

/** An extension whose page lies beside the ticket, and shows a number about as often as a book comes. */
async function installBarePage(workbench: Workbench): Promise<void> {
  const command = "bench.openBarePage";
  const [category = "", title = ""] = COMMAND.split(": ");
  await installBenchExtension(workbench, {
    name: "bare-page",
    contributes: { commands: [{ command, category, title }] },
    entry: `const { commands, ViewColumn, window } = require("vscode");
    exports.activate = () => {
      commands.registerCommand("${command}", () => {
        const { webview } = window.createWebviewPanel("barePage", "Bare", ViewColumn.Beside, { enableScripts: true });
        webview.html = \`<!doctype html><html><body><main id="number"></main><script>
          const place = document.getElementById("number");
          const delays = (globalThis.delays = []);
          addEventListener("message", ({ data }) => {
            place.textContent = String(data);
            requestAnimationFrame(() => delays.push(performance.timeOrigin + performance.now() - data));
          });
          </script></body></html>\`;
        const post = () => {
          webview.postMessage(performance.timeOrigin + performance.now());
          setTimeout(post, ${SHORTEST_MS} + Math.random() * ${LONGEST_MS - SHORTEST_MS});
        };
        post();
      });
    };`,
  });
}

/** `[price, size]`, the best one first. */
function levels(first: number, step: number): [price: number, size: number][] {
  return Array.from({ length: LEVELS }, (_, index) => [first + step * index, 1 + (index % 7)]);
}

function answerOf(path: string, price: number): object {
  if (path.startsWith("/depth"))
    return { asks: levels(price + READING, 1), bids: levels(price - READING, -1) };
  if (path.startsWith("/symbols")) return { error: 0, result: [{ id: 1, symbol: "THB_BTC" }] };
  if (path.includes("servertime")) return { error: 0, result: Math.floor(Date.now() / 1000) };
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
  return { error: 0, result: { THB_BTC: ticker } };
}
