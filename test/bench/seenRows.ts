import { Workbench } from "../journeys/support/workbench.ts";
import { accountAt } from "../support/builders/account.ts";
import { waitFor } from "../support/waitFor.ts";
import { installBenchExtension } from "./benchExtension.ts";
import { duration, durationFigure, median, p99OfParts, PART, percentile, type Figure } from "./measure.ts";
import { startServer } from "./servers.ts";
import { STREAM_PATH } from "./streamed.ts";

/** The first changes come from polls. */
const WARM_UP = 60;
const ROWS = 5 * PART;
const FLOORS = 200;
const MAX_MS = 300;
const LONG_MS = 120_000;
/** A row with this label changes by a timer. */
const TIMED_LABEL = "Timed";

/** A text of a row's description that is new on screen, and when, ms since the epoch. */
type Seen = [label: string, description: string, at: number];

interface RowsPage {
  readonly document: { querySelector(selector: string): Element | null };
  readonly MutationObserver: new (seen: () => void) => { observe(target: unknown, what: object): void };
  readonly performance: { readonly timeOrigin: number; now(): number };
  requestAnimationFrame(task: () => void): void;
  seen: Seen[];
}
interface Element {
  readonly textContent: string;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

/**
 * From the frame of a stream to its price in a row of Markets, in a real editor, at 420 frames a second. The floor is a tree of the same
 * editor, of an extension that does nothing but change one row by a timer.
 */
export async function frameFigure(): Promise<Figure> {
  const server = await startServer("test/bench/streamServer.ts");
  const baseUrl = server.hello["baseUrl"] ?? "";
  const workbench = await Workbench.open();
  try {
    await workbench.reset({
      accounts: [accountAt(baseUrl, { features: { tickerStream: { path: STREAM_PATH } } })],
    });
    const rows = await seenRows(workbench, WARM_UP + ROWS);
    const sent = (await (await fetch(`${baseUrl}/sent`)).json()) as [id: number, last: number, at: number][];
    const times = rows.slice(WARM_UP).flatMap(([label, description, at]) => {
      const price = Number(/[\d,]+\.\d+/.exec(description)?.[0].replaceAll(",", ""));
      const frame = sent.findLast(
        ([id, last, sentAt]) => `A${id}` === label && last === price && sentAt < at,
      );
      return frame ? [at - frame[2]] : [];
    });
    if (times.length < rows.length / 2) throw new Error(`The frames of only ${times.length} rows are known.`);
    await openTimedTree(workbench);
    const floors = (await seenRows(workbench, FLOORS)).flatMap(([label, description, at]) =>
      label === TIMED_LABEL ? [at - Number(description)] : [],
    );
    const [ms, floor] = [p99OfParts(times), percentile(floors, 0.99)];
    return durationFigure(
      `frame to its row in a real editor, ${times.length} rows, p99 (median ${duration(median(times))}; floor: a row changed by a timer)`,
      { ms, floor, most: MAX_MS },
    );
  } finally {
    await workbench.close();
    await server.stop();
  }
}

/** Waits until so many changed descriptions were seen in the tree on screen. */
async function seenRows(workbench: Workbench, count: number): Promise<readonly Seen[]> {
  const { page } = workbench;
  await page.locator(".pane-body .monaco-list-row").first().waitFor();
  await page.evaluate(() => {
    const view = globalThis as unknown as RowsPage;
    const shown = new Map<string, string>();
    const record = (): void => {
      const at = view.performance.timeOrigin + view.performance.now();
      for (const row of view.document.querySelector(".sidebar")?.querySelectorAll(".monaco-list-row") ?? []) {
        const label = row.querySelector(".label-name")?.textContent ?? "";
        const description = row.querySelector(".label-description")?.textContent ?? "";
        const before = shown.get(label);
        shown.set(label, description);
        if (before !== undefined && before !== description) view.seen.push([label, description, at]);
      }
    };
    view.seen = [];
    let isDue = false;
    // The change is on screen when the next frame begins.
    new view.MutationObserver(() => {
      if (isDue) return;
      isDue = true;
      view.requestAnimationFrame(() => {
        isDue = false;
        record();
      });
    }).observe(view.document.querySelector(".sidebar"), {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const read = (): Promise<readonly Seen[]> => page.evaluate(() => (globalThis as unknown as RowsPage).seen);
  await waitFor("rows to be seen", async () => (await read()).length >= count, LONG_MS);
  return await read();
}

/** Loads the window again, with the extension of the floor in it, and shows its tree alone. */
async function openTimedTree(workbench: Workbench): Promise<void> {
  const view = { id: "timedTree", name: TIMED_LABEL };
  await installBenchExtension(workbench, {
    name: "timed-tree",
    // The container's icon is any picture.
    files: ["media/bidside.svg"],
    contributes: {
      viewsContainers: { activitybar: [{ id: "timed", title: TIMED_LABEL, icon: "bidside.svg" }] },
      views: { timed: [view] },
    },
    entry: `const { EventEmitter, TreeItem, window } = require("vscode");
    exports.activate = () => {
      const changed = new EventEmitter();
      const row = {};
      window.registerTreeDataProvider("${view.id}", {
        onDidChangeTreeData: changed.event,
        getChildren: (parent) => (parent ? [] : [row]),
        getTreeItem: () => {
          const item = new TreeItem("${TIMED_LABEL}");
          item.id = "row";
          item.description = String(row.at);
          return item;
        },
      });
      // In no step with the frames of the page.
      const change = () => {
        row.at = performance.timeOrigin + performance.now();
        changed.fire(row);
        setTimeout(change, 400 + Math.random() * 100);
      };
      change();
    };`,
  });
  const { page } = workbench;
  await page.locator(`.activitybar .action-item:has([aria-label^="${TIMED_LABEL}"])`).click();
  await page.locator(".monaco-list-row", { hasText: TIMED_LABEL }).waitFor();
}
