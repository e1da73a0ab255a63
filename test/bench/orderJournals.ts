import { join } from "node:path";
import type { TreeView } from "vscode";
import { thisComputer } from "../../src/files/computer.ts";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../src/market/orderReport.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { venueOf } from "../support/builders/lifeDesk.ts";
import { testFill } from "../support/builders/reports.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../support/fakes/vscode.ts";
import type { OrdersTree, ViewRow } from "../../src/ui/orders/ordersTree.ts";

export const OPEN = 1_000;
export const DONE = 50_000;
export const PLACE = { venue: "live", origin: "https://api.example.com" } as const;
/** After the last record. */
export const LAST = NOON + (OPEN + DONE) * 10 + 3_600_000;
const NAME = "orders-2026-11-4100000000-0000000000000001.log";

/** Writes the journal of 1,000 open and 50,000 done orders, as an ended process left it. */
export function writeJournal(directory: string): void {
  const log = openAppendLog({ path: join(directory, NAME), sync: false });
  log.appendAll([...records()]);
  log.close();
}

/** Own orders as the journal has them: intent, acceptance, and what the exchange said last. */
function* records(): Generator<unknown> {
  for (let index = 0; index < OPEN + DONE; index += 1) {
    const intent = bidIntent({ ...PLACE, at: NOON + index * 10 });
    const at = intent.at + 1;
    yield { ...intent, kind: "intent" };
    yield { kind: "outcome", id: intent.id, at, state: "accepted", orderId: String(index) };
    const ofOrder = {
      ...PLACE,
      orderId: String(index),
      symbol: "THB_BTC",
      quote: "THB",
      base: "BTC",
      side: "buy",
    };
    const status = index < DONE ? "cancelled" : "open";
    yield { kind: "report", ...ofOrder, at: at + 1, status, askedAt: at + 1 };
  }
}

/** A report of one more small fill of the last order. */
export function fillReport(count: number): OrderReport {
  const fills = Array.from({ length: count }, (_, index) =>
    testFill(String(index), "0.00000001", "100", LAST + index),
  );
  const pair = { quote: "THB", base: "BTC" };
  const orderId = String(OPEN + DONE - 1);
  return { orderId, symbol: "THB_BTC", pair, side: "buy", status: "open", fills, askedAt: LAST + count };
}

/** One durable append of a record of usual size: the least that recording costs. */
export function appendTo(directory: string): () => void {
  const log = openAppendLog({ path: join(directory, "floor.txt"), sync: true, files: thisComputer.files });
  const record = { ...bidIntent({ ...PLACE, at: NOON }), quantity: new Decimal("1").toFixed() };
  return () => log.append(record);
}

/** The desk of a journal that is in memory, at an exchange that tells of orders. */
export async function openView(storage: string, paint: (rows: ViewRow[] | undefined) => void) {
  const { OrdersTree: Tree } = await loadUi(() => import("../../src/ui/orders/ordersTree.ts"));
  const client = new FakeClient();
  client.capabilities = { openOrders: () => Promise.resolve({ orders: [], unreadable: [] }) };
  const timers = new FakeTimers(LAST);
  const desk = await openTestDesk({ client, storage, timers, venue: "live", window: unattended });
  await desk.orders.reread();
  const treeOf = (): OrdersTree => new Tree(desk, new HollowTree() as unknown as TreeView<ViewRow>, paint);
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
  return { desk, venue: venueOf(desk.venue), treeOf, firstRows, close: () => desk.dispose() };
}
