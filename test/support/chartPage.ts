import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import type { Uri, Webview } from "vscode";
import type { Candle } from "../../src/market/candle.ts";
import type { FromChart, ToChart } from "../../src/panels/chart.ts";
import { openBrowser } from "./editor/openBrowser.ts";
import { root } from "./editor/paths.ts";
import { loadUi } from "./hollowEditor.ts";

/** Nothing is asked of it: the browser is given the page's files in its place. */
const ORIGIN = "http://chart.test";

interface PageGlobals {
  sent: FromChart[];
  acquireVsCodeApi: () => unknown;
}

/** A chart's page in a browser with no editor around it: the test is its host. */
export class ChartPage {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  static async open(symbol: string): Promise<ChartPage> {
    const { chartHtml } = await loadUi(() => import("../../src/ui/chartHtml.ts"));
    const webview = {
      cspSource: ORIGIN,
      asWebviewUri: ({ fsPath }: Uri) => ({ toString: () => ORIGIN + fsPath.slice(root.length) }),
    } as unknown as Webview;
    const html = await chartHtml(webview, { fsPath: root } as Uri, symbol);
    const { outputFiles } = await build({
      entryPoints: [join(root, "src", "webview", "chart.ts")],
      bundle: true,
      format: "iife",
      write: false,
    });
    const files: Readonly<Record<string, [type: string, body: string]>> = {
      "/": ["text/html; charset=utf-8", html],
      "/media/chart.css": ["text/css", await readFile(join(root, "media", "chart.css"), "utf8")],
      "/dist/webview/chart.js": ["text/javascript", outputFiles[0]?.text ?? ""],
    };
    const browser = await openBrowser(console.log);
    try {
      const page = await browser.newPage({
        viewport: { width: 900, height: 700 },
        locale: "en-GB",
        timezoneId: "UTC",
      });
      await page.route("**/*", async (route) => {
        const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ["text/plain", ""];
        await route.fulfill({ contentType, body });
      });
      await page.addInitScript(() => {
        const globals = globalThis as unknown as PageGlobals;
        const sent: FromChart[] = (globals.sent = []);
        globals.acquireVsCodeApi = () => ({
          postMessage: (message: FromChart) => sent.push(message),
          getState: () => undefined,
          setState: () => undefined,
        });
      });
      await page.goto(`${ORIGIN}/`);
      return new ChartPage(browser, page);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Shows what the host says; resolves when the page has drawn it. */
  async show(...messages: readonly ToChart[]): Promise<void> {
    await this.page.evaluate(async (said) => {
      const page = globalThis as unknown as {
        dispatchEvent(event: unknown): void;
        requestAnimationFrame(callback: () => void): void;
      };
      for (const data of said) page.dispatchEvent(new MessageEvent("message", { data }));
      // A frame to draw in, and one after it.
      for (let frame = 0; frame < 2; frame += 1) {
        await new Promise<void>((resolve) => page.requestAnimationFrame(resolve));
      }
    }, messages);
  }

  /** Everything that the page said to its host, oldest first. */
  sent(): Promise<FromChart[]> {
    return this.page.evaluate(() => (globalThis as unknown as PageGlobals).sent);
  }

  get(id: string): Locator {
    return this.page.locator(`#${id}`);
  }

  /** The text of an element, seen or not. */
  async text(id: string): Promise<string> {
    return (await this.get(id).textContent()) ?? "";
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** The market as the host tells it of a pair that can be bought, with nothing to note. */
export function marketOf(given: Partial<Extract<ToChart, { type: "market" }>> = {}): ToChart {
  return {
    type: "market",
    venue: { name: "Practice", live: false },
    pair: { quote: "THB", base: "BTC" },
    last: "100",
    bestBid: "99.5",
    bestAsk: "100.5",
    canBid: true,
    inverted: false,
    note: "",
    ...given,
  };
}

export function candlesOf(
  candles: readonly Candle[],
  given: Partial<Extract<ToChart, { type: "candles" }>> = {},
): ToChart {
  return { type: "candles", interval: "1m", candles, leastVolume: false, note: "", ...given };
}
