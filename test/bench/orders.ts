import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TreeView } from "vscode";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { liveAt, openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { waitFor } from "../support/waitFor.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../support/fakes/vscode.ts";
import type { OrdersTree, ViewRow } from "../../src/ui/orders/ordersTree.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const OPEN = 100;
const DONE = 4_900;
const PLACE = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
/** After the last record. */
const LAST = NOON + (OPEN + DONE) * 10 + 3_600_000;
const NAME = "orders-2026-11-4100000000-0000000000000001.log";

/** Writes a journal of 5,000 orders, a fiftieth of them open, as an ended process left it. */
function writeJournal(directory: string, account: string | undefined): void {
  const log = openAppendLog({ path: join(directory, NAME), sync: false });
  log.appendAll([...records(account)]);
  log.close();
}

/** Own orders as the journal has them: intent, acceptance, and what the exchange last reported. */
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
    const status = index < DONE ? "cancelled" : "open";
    yield { kind: "report", source: "info", ...ofOrder, at: at + 1, status, askedAt: at + 1 };
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
