import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHistory } from "../../src/desk/life/orderReads.ts";
import type { Orders } from "../../src/desk/orders/orders.ts";
import type { CurrentVenue } from "../../src/desk/venue.ts";
import { createClient } from "../../src/exchange/client.ts";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { NOON } from "../support/builders/bidIntent.ts";
import { testCredentials, testProfile } from "../support/builders/client.ts";
import { allFeatures } from "../support/builders/features.ts";
import { openOrders, venueOf } from "../support/builders/lifeDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { openVenue } from "../support/fakes/venue.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const FILLS = 5_000;
const PAGES = 10;
const BTC = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };
const MOST_MS = 1000;

/** The pages of a day: one fill in each order, a third of them sales. */
const pages: readonly Buffer[] = Array.from({ length: PAGES }, (_, page) => {
  const rows = Array.from({ length: FILLS / PAGES }, (__, index) => rowOf((page * FILLS) / PAGES + index));
  const pagination = page + 1 < PAGES ? { cursor: `page${page + 1}`, has_next: true } : { has_next: false };
  return Buffer.from(JSON.stringify({ error: 0, result: rows, pagination }));
});

function rowOf(index: number): object {
  const ts = NOON + index * 15_000;
  const side = index % 3 === 2 ? "sell" : "buy";
  const amount = side === "buy" ? "1000.00" : "0.0004";
  return {
    txn_id: `T${index}`,
    order_id: String(index),
    taken_by_me: false,
    is_maker: true,
    side,
    type: "limit",
    rate: "2500000.00",
    fee: "2.50",
    credit: "0.00",
    amount,
    ts,
    order_closed_at: ts,
  };
}

/** A day's history: read in pages, recorded, and the trades' cost and result. */
export async function importFigure(): Promise<Figure> {
  const directory = mkdtempSync(join(tmpdir(), "bidside-import-bench-"));
  const timers = new FakeTimers(NOON + 100_000_000);
  let asked = 0;
  const client = createClient({
    profile: testProfile("http://127.0.0.1:1", { features: allFeatures("B") }),
    credentials: () => Promise.resolve(testCredentials),
    now: timers.now,
    transport: ({ url }) => {
      const isHistory = url.pathname.includes("orderHistory");
      const body = isHistory ? pages[asked++ % PAGES] : Buffer.from(JSON.stringify(timers.now()));
      return Promise.resolve({ status: 200, retryAfter: undefined, body: body ?? Buffer.of() });
    },
  });
  try {
    const venue = await openVenue(client);
    let count = 0;
    const imported = await against(
      {
        before: async () => {
          const orders = openOrders(join(directory, String((count += 1))), timers, () => "");
          await orders.reread();
          return orders;
        },
        run: (orders) => importInto(orders, venue),
      },
      () => {
        const rows = pages.flatMap((page) => (JSON.parse(page.toString()) as { result: object[] }).result);
        const log = openAppendLog({ path: join(directory, `floor${(count += 1)}.log`), sync: true });
        log.appendAll(rows);
        log.close();
      },
      { rounds: 21, times: 1, collects: true },
    );
    return durationFigure(
      "orders import",
      `a day's history of ${FILLS.toLocaleString("en")} fills, read, recorded and added up (floor: parsed and appended)`,
      { ms: imported.ours, floor: imported.floor, most: MOST_MS, ratio: imported.ratio },
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function importInto(orders: Orders, current: CurrentVenue): Promise<void> {
  const venue = venueOf(current);
  const history = await readHistory(venue.client.capabilities, BTC, NOON);
  if (history?.isWhole !== true) throw new Error("The history is not whole.");
  await orders.recordReports(history.orders, venue);
  const { trades } = orders.lives ?? {};
  const [known] = trades?.all() ?? [];
  if (known?.trades.length !== FILLS || !known.average.cost.gt("0"))
    throw new Error("A fill is not recorded.");
  await orders.close();
}
