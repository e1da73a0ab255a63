import { join } from "node:path";
import { chartOf, findPair } from "../journeys/support/openChart.ts";
import { frameOf, pageWith } from "../journeys/support/pages.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { waitFor } from "../support/waitFor.ts";
import { installBenchExtension } from "./benchExtension.ts";
import { duration, durationFigure, median, middleMean, type Figure } from "./measure.ts";

const PAIRS = ["THB_BTC", "THB_ETH", "THB_SOL", "THB_ADA", "THB_XRP"];
const ROUNDS = 8;
const MAX_MS = 150;
/** As many candles as a chart begins with. */
const CANDLES = 720;
const LIBRARY = "lightweight-charts.standalone.production.js";
const COMMAND = "Bench: Open Bare Chart";
const MARK = "bare-candles";

/**
 * The time from the start of a chart's page to its first candles, in a real editor. The floor is a page of the same editor that has the
 * same library and as many candles, and nothing else; both are opened in turn.
 */
export async function chartFigure(): Promise<Figure> {
  const workbench = await Workbench.open();
  try {
    await installBareChart(workbench);
    await workbench.row("THB_BTC").waitFor();
    const [painted, bare, totals]: [number[], number[], number[]] = [[], [], []];
    for (const symbol of Array.from({ length: ROUNDS }, () => PAIRS).flat()) {
      const opening = await openMeasured(workbench, symbol);
      await closePages(workbench);
      bare.push(await openBareChart(workbench));
      await closePages(workbench);
      painted.push(opening.painted);
      totals.push(opening.total);
    }
    const [ours, floor] = [middleMean(painted), middleMean(bare)];
    return durationFigure(
      `chart: first candles in a real editor (floor: bare candles; ${duration(median(totals))} from the choice)`,
      { ms: ours, floor, most: MAX_MS },
    );
  } finally {
    await workbench.close();
  }
}

/** Opens a pair's chart. `painted`: ms from the start of its page to its first candles; `total`: from the command. */
async function openMeasured(
  workbench: Workbench,
  symbol: string,
): Promise<{ readonly painted: number; readonly total: number }> {
  await findPair(workbench, symbol);
  const chosen = Date.now();
  await workbench.command("Bidside: Open Chart");
  await chartOf(workbench, symbol).waitFor();
  await workbench.chart.locator("#chart canvas").first().waitFor();
  const frame = await frameOf(workbench.chart);
  return await waitFor("the first candles to be painted", () =>
    frame.evaluate((from) => {
      const [mark] = performance.getEntriesByName("bidside-first-candles");
      if (!mark) return undefined;
      return { painted: mark.startTime, total: performance.timeOrigin + mark.startTime - from };
    }, chosen),
  );
}

async function closePages(workbench: Workbench): Promise<void> {
  await workbench.command("View: Close All Editors");
  await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
}

/** Opens the floor's page; ms from its start to its candles, seen as in Bidside's page. */
async function openBareChart(workbench: Workbench): Promise<number> {
  await workbench.command(COMMAND);
  const page = pageWith(workbench.page, "#bare");
  await page.locator("#bare canvas").first().waitFor();
  const frame = await frameOf(page);
  return await waitFor("the bare candles to be painted", () =>
    frame.evaluate((mark) => performance.getEntriesByName(mark)[0]?.startTime, MARK),
  );
}

async function installBareChart(workbench: Workbench): Promise<void> {
  const command = "bench.openBareChart";
  const [category = "", title = ""] = COMMAND.split(": ");
  await installBenchExtension(workbench, {
    name: "bare-chart",
    files: [join("node_modules", "lightweight-charts", "dist", LIBRARY)],
    contributes: { commands: [{ command, category, title }] },
    entry: `const { commands, Uri, ViewColumn, window } = require("vscode");
    const start = ${Date.UTC(2026, 10, 21) / 1000};
    const candles = Array.from({ length: ${CANDLES} }, (_, index) => {
      const [open, close] = [index, index + 1].map((at) => 1000 + 50 * Math.sin(at / 9));
      return { time: start + 60 * index, open, close, high: Math.max(open, close) + 5, low: Math.min(open, close) - 5 };
    });
    exports.activate = ({ extensionUri }) => {
      commands.registerCommand("${command}", () => {
        const options = { enableScripts: true, localResourceRoots: [extensionUri] };
        const { webview } = window.createWebviewPanel("bareChart", "Bare", ViewColumn.One, options);
        const library = webview.asWebviewUri(Uri.joinPath(extensionUri, "${LIBRARY}"));
        webview.html = \`<!doctype html><html><body style="height: 100vh; margin: 0"><main id="bare" style="height: 100%"></main>
          <script src="\${library}"></script><script>
          const { CandlestickSeries, createChart } = LightweightCharts;
          const chart = createChart(document.getElementById("bare"), { autoSize: true });
          const series = chart.addSeries(CandlestickSeries);
          addEventListener("message", ({ data }) => {
            series.setData(data);
            requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("${MARK}")));
          });
          </script></body></html>\`;
        webview.postMessage(candles);
      });
    };`,
  });
}
