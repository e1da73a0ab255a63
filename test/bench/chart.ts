import { openChart } from "../journeys/support/openChart.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { duration, durationFigure, median, type Figure } from "./measure.ts";

const PAIRS = ["THB_BTC", "THB_ETH", "THB_SOL", "THB_ADA", "THB_XRP"];
const ROUNDS = 3;
const MOST_MS = 150;

/** The time from the start of a chart's page to its first candles, in a real editor. */
export async function chartFigures(): Promise<Figure[]> {
  const workbench = await Workbench.open();
  try {
    await workbench.row("THB_BTC").waitFor();
    const openings: Awaited<ReturnType<typeof openChart>>[] = [];
    for (const symbol of Array.from({ length: ROUNDS }, () => PAIRS).flat()) {
      openings.push(await openChart(workbench, symbol));
      await workbench.command("View: Close All Editors");
      await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    }
    const [painted, bare, total] = (["painted", "bare", "total"] as const).map((name) =>
      median(openings.map((opening) => opening[name])),
    ) as [number, number, number];
    return [
      durationFigure(
        "first candles",
        `chart: first candles in a real editor (floor: the page without them; ${duration(total)} from the choice)`,
        { ms: painted, floor: bare, most: MOST_MS },
      ),
    ];
  } finally {
    await workbench.close();
  }
}
