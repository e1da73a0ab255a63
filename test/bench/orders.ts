import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TreeView } from "vscode";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { liveAt, openTestDesk, unattended } from "../support/desks/testDesk.ts";
import type { OrderReport } from "../../src/market/orderReport.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { waitFor } from "../support/waitFor.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../support/fakes/vscode.ts";
import type { OrdersTree, ViewRow } from "../../src/ui/orders/ordersTree.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const OPEN = 100;
const DONE = 4_900;
/** Of each order. */
const FILLS = 10;
const PLACE = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
/** After the last record. */
const LAST = NOON + (OPEN + DONE) * 10 + 3_600_000;
const NAME = "orders-2026-11-4100000000-0000000000000001.log";

/** Writes a journal of 5,000 orders with ten fills each, a fiftieth of them open, as an ended process left it. */
function writeJournal(directory: string, account: string | undefined): void {
  const log = openAppendLog({ path: join(directory, NAME), sync: false });
  log.appendAll([...records(account)]);
  log.close();
}

/** Own orders as the journal has them: intent, acceptance, fills, and what the exchange last reported. */
function* records(account: string | undefined): Generator<unknown> {
  for (let index = 0; index < OPEN + DONE; index += 1) {
    const intent = bidIntent({ ...PLACE, at: NOON + index * 10 });
    const at = intent.at + 1;
    yield { ...intent, kind: "intent", account };
    yield { kind: "outcome", id: intent.id, at, state: "accepted", orderId: String(index) };
    const ofOrder = {
      ...PLACE,
      account,
      orderId: String(index),
      symbol: "THB_BTC",
      quote: "THB",
      base: "BTC",
      side: "buy",
    };
    for (let fill = 0; fill < FILLS; fill += 1)
      yield {
        kind: "fill",
        source: "info",
        ...ofOrder,
        at: at + 1,
        txn: `${index}-${fill}`,
        filledAt: at,
        rate: "3500000",
        quantity: "0.00001",
        value: "35",
        fee: "0.0875",
      };
    const status = index < DONE ? "cancelled" : "open";
    yield { kind: "report", source: "info", ...ofOrder, at: at + 1, status };
  }
}

/** The desk of a journal that is in memory, at an exchange that reports orders. */
async function openView(storage: string) {
  const { OrdersTree: Tree } = await loadUi(() => import("../../src/ui/orders/ordersTree.ts"));
  const client = new FakeClient();
  client.capabilities = { openOrders: () => Promise.resolve({ orders: [], unreadable: [] }) };
  const timers = new FakeTimers(LAST);
  const desk = await openTestDesk({ client, storage, timers, window: unattended, ...liveAt(PLACE.origin) });
  await waitFor("the account to be known", () => desk.windows.demand.account !== undefined);
  writeJournal(join(storage, "orders"), desk.venue.venue?.account.id);
  await desk.orders.reread();
  const treeOf = (): OrdersTree =>
    new Tree(desk, new HollowTree() as unknown as TreeView<ViewRow>, () => undefined);
  /** What the editor asks for when the view is opened: the groups, and the rows of each. */
  const firstRows = (tree: OrdersTree): number => {
    let count = 0;
    for (const group of tree.children()) {
      tree.item(group);
      for (const row of tree.children(group)) {
        tree.item(row);
        count += 1;
      }
    }
    return count;
  };
  return { desk, treeOf, firstRows, close: () => desk.dispose() };
}

/** A poll that reports one more fill of an open order, until views have it. The floor is a record on the disk. */
export async function changeFigure(): Promise<Figure> {
  const storage = mkdtempSync(join(tmpdir(), "bidside-change-bench-"));
  const { desk, treeOf, close } = await openView(storage);
  const tree = treeOf();
  const log = openAppendLog({ path: join(storage, "floor.log"), sync: true });
  try {
    const venue = desk.venue.signedIn;
    if (!venue || desk.orders.skippedLines.length > 0) throw new Error("The journal was not read.");
    let count = 0;
    const report = (): OrderReport => ({
      ...testReport({
        source: "history",
        orderId: String(DONE),
        side: "buy",
        rate: undefined,
        quantity: undefined,
      }),
      askedAt: LAST,
      fills: [testFill(`new-${(count += 1)}`, "0.0000001", "3500000", LAST)],
    });
    const { ours, floor } = await against(
      () => desk.orders.recordReports([report()], venue),
      () => log.append({ count }),
      { rounds: 101, times: 1 },
    );
    const known = desk.orders.own.find(({ orderId }) => orderId === String(DONE))?.known;
    if (known?.fills.length !== FILLS + count) throw new Error(`${known?.fills.length} fills are known.`);
    return durationFigure(
      "one more fill, among 5,000 orders with 50,000 fills, recorded and in the views (floor: a record on the disk)",
      { ms: ours, floor, most: 16 },
    );
  } finally {
    log.close();
    tree.dispose();
    await close();
    rmSync(storage, { recursive: true, force: true });
  }
}

/** The first rows of the Orders view of a long journal. */
export async function orderFigure(): Promise<Figure> {
  const storage = mkdtempSync(join(tmpdir(), "bidside-orders-bench-"));
  const { desk, treeOf, firstRows, close } = await openView(storage);
  try {
    let rows = 0;
    const { ours, floor } = await against(
      () => {
        const tree = treeOf();
        rows = firstRows(tree);
        tree.dispose();
      },
      () => desk.orders.own.map(({ intent, state }) => `${intent.id} ${intent.at} ${state}`),
      { rounds: 41, times: 1, collects: true },
    );
    return durationFigure(
      `the Orders view's first ${rows} rows, of 5,000 orders (floor: a short text of each order)`,
      { ms: ours, floor, most: 100 },
    );
  } finally {
    await close();
    rmSync(storage, { recursive: true, force: true });
  }
}
