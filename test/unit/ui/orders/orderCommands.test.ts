import assert from "node:assert/strict";
import type { TreeItem } from "vscode";
import { SelectedLine } from "../../../../src/ui/selectedLine.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { commandIds, viewIds } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { emptyWatchLists } from "../../../../src/desk/watchLists/watchLists.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import {
  bringToFront,
  env,
  loadUi,
  person,
  shownMessages,
  WindowParts,
} from "../../../support/fakes/vscode.ts";
import { ownOrder } from "../../../support/builders/ownOrder.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";

const { showOrders } = await loadUi(() => import("../../../../src/ui/orders/orders.ts"));
const { OrdersView } = await loadUi(() => import("../../../../src/ui/orders/ordersView.ts"));

type Window = Parameters<typeof showOrders>[2];

const recorded = ownOrder({
  intent: bidIntent({ amount: "5000", rate: "2950000" }),
  state: "unknown",
  orderId: undefined,
  since: 1,
  evidence: [],
});

describe("a command of an order, called by another extension", () => {
  const filled: unknown[] = [];
  const copied: string[] = [];
  const changed: unknown[] = [];
  let parts: WindowParts;

  beforeEach(async () => {
    filled.length = copied.length = changed.length = shownMessages.length = 0;
    // A test in another file may have left a user who confirms everything.
    person.choose = () => undefined;
    parts = new WindowParts();
    bringToFront(parts);
    const ignore = (): (() => void) => () => undefined;
    const client = new FakeClient();
    client.capabilities = { cancelOrder: () => assert.fail("cancelled") };
    const desk = {
      orders: {
        own: [recorded],
        elsewhere: [],
        attention: 0,
        skippedLines: [],
        onDidChange: ignore,
        settle: async () => false,
      },
      venue: await openVenue(client),
      accounts: accountsOf(),
      balances: { available: () => new Decimal("1000") },
      timers: new FakeTimers(),
      following: { unreadable: { onDidChange: ignore } },
      visibleOrders: { set: ignore },
      tickers: { onDidChange: ignore, state: { tickers: new Map() } },
      watchLists: { state: emptyWatchLists, onDidChange: ignore },
    };
    const ticket = {
      changeOrder: (order: unknown) => changed.push(order),
      open: async (...given: unknown[]) => void filled.push(given),
    };
    showOrders(desk as unknown as Desk, new OrdersView(desk as unknown as Desk), {
      ticket,
      selectedLine: new SelectedLine(),
    } as unknown as Window);
    shownMessages.length = 0;
    Object.assign(env, { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  });

  const call = async (name: keyof typeof commandIds, argument: unknown): Promise<void> => {
    await parts.commands.get(commandIds[name])?.(argument);
  };
  /** A record that another extension made up, with the id of a real order or another one. */
  const madeUp = (id: string) => ({ ...recorded, id, intent: bidIntent({ id, amount: "900000" }) });

  it("fills in the recorded figures of Order Again, not the caller's, and marks them", async () => {
    await call("orderAgain", madeUp(recorded.intent.id));
    await call("orderAgain", recorded.intent.id);
    const { symbol } = recorded.intent;
    const figures = { symbol, side: "buy", amount: "5000", rate: "2950000", postOnly: false };
    const expected = [{ ...figures, preparedBy: "order" }, recorded.intent];
    assert.deepEqual(filled, [expected, expected]);
  });

  it("changes the recorded order, not the caller's", async () => {
    await call("changeOrder", madeUp(recorded.intent.id));
    assert.deepEqual(changed, [recorded]);
  });

  it("shows the recorded order for confirmation before it is marked", async () => {
    await call("markPlaced", madeUp(recorded.intent.id));
    assert.match(shownMessages[0]?.more ?? "", /5,000\.00/);
    assert.match(shownMessages[0]?.more ?? "", /fell by exactly .* THB, to 1,000\.00 THB/);
    assert.doesNotMatch(shownMessages[0]?.more ?? "", /900,000/);
  });

  it("says if the decision about an order could not be recorded", async () => {
    person.choose = ([first]) => first;
    await call("markPlaced", recorded.intent.id);
    const texts = shownMessages.flatMap(({ how, text }) => (how === "error" ? [text] : []));
    assert.deepEqual(texts, ["Your decision could not be recorded. The order stays as it was."]);
  });

  it("does nothing for an order that is not recorded", async () => {
    const stranger = madeUp("0b6f0000-0000-4000-8000-000000000000");
    for (const name of [
      "orderAgain",
      "changeOrder",
      "markPlaced",
      "markNotPlaced",
      "checkOrder",
      "copyOrder",
    ] as const)
      for (const argument of [stranger, "THB_BTC", 7, null, {}]) await call(name, argument);
    assert.deepEqual([filled, copied, changed, shownMessages], [[], [], [], []]);
  });

  /** The view, with the recorded order's row. */
  const rowOnScreen = () => {
    const tree = parts.trees.get(viewIds.orders) ?? assert.fail("no view");
    const { treeDataProvider: provider } = tree as unknown as {
      treeDataProvider: { getChildren: () => unknown[]; getTreeItem: (row: unknown) => TreeItem };
    };
    const [row] = provider.getChildren();
    return { tree, row, item: provider.getTreeItem(row) };
  };

  it("brings the pair of a clicked row to the front in the chart", async () => {
    const { tree, row, item } = rowOnScreen();
    assert.deepEqual(item.command?.command, commandIds.previewOrder);
    tree.select(row);
    await parts.commands.get(commandIds.previewOrder)?.();
    const shown = shownMessages.filter(({ text }) => text === commandIds.previewChart);
    assert.deepEqual(shown, [{ how: "command", text: commandIds.previewChart, more: '["THB_BTC"]' }]);
  });

  it("with Delete means the focused order, and never lets the user pick another one instead", async () => {
    const { tree, row } = rowOnScreen();
    for (const focused of [row, undefined]) {
      tree.focused = focused;
      await call("cancelOrder", { focused: true });
    }
    const texts = shownMessages.filter(({ how }) => how !== "command").map(({ text }) => text);
    assert.equal(texts.length, 2);
    for (const text of texts) assert.match(text, /No open orders to cancel/);
    assert.deepEqual(tree.selection, [row]);
  });
});
