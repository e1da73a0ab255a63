import { ARRANGED, FAVOURITES, type WatchLists } from "../../src/desk/watchLists/watchLists.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { memoryOf, storeOn } from "../support/fakes/watchLists.ts";
import { loadUi } from "../support/fakes/vscode.ts";
import { clientOf, tickerBytes } from "./market.ts";
import { durationFigure, median, type Figure } from "./measure.ts";

const LISTS = 100;
const PAIRS = 200;
const ROUNDS = 30;
const MAX_OPEN_MS = 100;

/** From the stored lists to all rows of the list on screen. Every fourth pair is on no exchange. */
export async function listsFigure(): Promise<Figure> {
  const { MarketRows } = await loadUi(() => import("../../src/ui/markets/marketRows.ts"));
  const listed = (PAIRS * LISTS * 3) / 4;
  const client = clientOf(() => Buffer.from(tickerBytes(listed, 0)));
  const { tickers } = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  await tickers.refresh();
  const ids = Array.from({ length: LISTS }, (_, list) => (list === 0 ? FAVOURITES : `list${list}`));
  const lists = ids.map((id, list) => ({
    id,
    name: id,
    pairs: Array.from({ length: PAIRS }, (_, pair) => `THB_A${1 + list * PAIRS + pair}`),
    sort: ARRANGED,
  }));
  const [favourites, ...others] = lists;
  if (!favourites) throw new Error("There are no lists.");
  const stored: WatchLists = {
    lists: [favourites, ...others],
    active: `list${LISTS / 2}`,
    sort: { by: "volume", down: true },
    pinned: [],
  };
  const memory = memoryOf(stored);
  const spent: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const rows = new MarketRows(tickers, storeOn(memory));
    const items = rows.getChildren().map((row) => rows.getTreeItem(row));
    spent.push(performance.now() - start);
    rows.dispose();
    if (items.length !== PAIRS) throw new Error(`Markets has ${items.length} rows.`);
    const again = performance.now();
    memory.read();
    read.push(performance.now() - again);
  }
  return durationFigure(
    `open Markets with ${LISTS} watch lists of ${PAIRS} pairs, until all rows of one (floor: parsing the lists)`,
    { ms: median(spent), floor: median(read), most: MAX_OPEN_MS },
  );
}
