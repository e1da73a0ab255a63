import assert from "node:assert/strict";
import { VisibleOrders } from "../../../../src/desk/tracking/visibleOrders.ts";
import type { NamedPair } from "../../../../src/market/pair.ts";
import type { WindowDemand } from "../../../../src/hub/protocol.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { close, liveAt, openTestDesk, readAll } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { TopListOrders } = await loadUi(() => import("../../../../src/ui/orders/topListOrders.ts"));

const DEMAND: WindowDemand = { focused: true, active: true, visible: true, armed: false, intervalMs: 5000 };

/** All pairs of THB are listed but DOGE. */
const ticker = (symbol: string) => (symbol === "THB_DOGE" ? undefined : tickerOf(symbol));

/** A window that reads for itself and for these others. */
function visibleBeside(...others: WindowDemand[]) {
  let own = DEMAND;
  const visible = new VisibleOrders({
    windows: {
      setDemand: (wanted) => void (own = { ...own, ...wanted }),
      demandsFor: () => [own, ...others],
    },
    tickers: { ticker },
  });
  return { visible, demand: () => own, symbols: () => visible.pairs()?.map(({ symbol }) => symbol) };
}

describe("the pairs whose open orders are read", () => {
  it("are undefined while no window shows orders", () => {
    const { visible, symbols, demand } = visibleBeside(DEMAND);
    assert.equal(visible.pairs(), undefined);
    const chart = {};
    visible.set(chart, ["THB_BTC"]);
    assert.deepEqual(symbols(), ["THB_BTC"]);
    visible.set(chart, undefined);
    assert.equal(visible.pairs(), undefined);
    assert.equal(demand().orders, undefined);
  });

  it("are those of all windows and views, each once, as far as the exchange lists them", () => {
    const { visible, symbols } = visibleBeside({ ...DEMAND, orders: ["THB_ETH", "THB_BTC", "THB_DOGE"] });
    visible.set({}, ["THB_BTC"]);
    visible.set({}, ["THB_BTC", "THB_XRP"]);
    assert.deepEqual(symbols(), ["THB_BTC", "THB_XRP", "THB_ETH"]);
  });

  it("leave out invalid symbols, and those that exceed the limit of other windows", () => {
    const { visible, demand } = visibleBeside();
    visible.set({}, ["", "<b>", "x".repeat(60)]);
    assert.deepEqual(demand().orders, []);
    visible.set(
      {},
      Array.from({ length: 100 }, (_, index) => `THB_A${index}`),
    );
    assert.equal(demand().orders?.length, 64);
  });

  it("are the first 20 listed favourites while the Orders view is visible", () => {
    let favourites = ["THB_DOGE", ...Array.from({ length: 30 }, (_, index) => `THB_A${index}`)];
    const listeners = { visible: () => undefined as void, favourites: () => undefined as void };
    const removable = (name: keyof typeof listeners) => (listener: () => void) => {
      listeners[name] = listener;
      return () => undefined;
    };
    const view = {
      visible: false,
      onDidChangeVisibility: removable("visible"),
    };
    const { visible, symbols } = visibleBeside();
    const market = new Map([...favourites.slice(1), "THB_BTC"].map((symbol) => [symbol, tickerOf(symbol)]));
    const orders = new TopListOrders(
      {
        visibleOrders: visible,
        tickers: { state: { tickers: market }, onDidChange: () => () => undefined },
        watchLists: {
          get state() {
            return favouritesOf(favourites);
          },
          onDidChange: removable("favourites"),
        },
      } as never,
      view as never,
    );
    assert.equal(visible.pairs(), undefined);
    view.visible = true;
    listeners.visible();
    assert.deepEqual(symbols(), favourites.slice(1, 21));
    favourites = ["BTC_THB"];
    listeners.favourites();
    assert.deepEqual(symbols(), ["THB_BTC"]);
    orders.dispose();
    assert.equal(visible.pairs(), undefined);
  });
});

describe("a desk", () => {
  it("finds orders placed elsewhere in the visible pair, and polls nothing afterwards", async () => {
    const storage = temporaryFolder();
    const timers = new FakeTimers();
    const client = new FakeClient();
    client.tickersAnswer = async () => snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    const read: string[] = [];
    client.capabilities = {
      openOrders: async ({ symbol }: NamedPair) => {
        read.push(symbol);
        return { orders: [testReport({ status: "open", askedAt: timers.now() })], unreadable: [] };
      },
    };
    const desk = await openTestDesk({ ...liveAt("https://api.example.com"), client, storage, timers });
    await readAll(desk);
    await timers.advance(60_000);
    assert.deepEqual(read, [], "no orders are visible");
    const chart = {};
    desk.visibleOrders.set(chart, ["THB_BTC"]);
    await timers.advance(5_000);
    assert.deepEqual(read, ["THB_BTC"]);
    assert.deepEqual(
      desk.orders.elsewhere.map(({ known }) => known?.status),
      ["open"],
    );
    await timers.advance(30_000);
    assert.deepEqual(read, ["THB_BTC", "THB_BTC"]);
    desk.visibleOrders.set(chart, undefined);
    await timers.advance(120_000);
    assert.equal(read.length, 2, "an order that was found is not polled while no orders are visible");
    await close(desk);
  });
});
