import { pairOf } from "../../../support/builders/client.ts";
import { type DeskWindow, DeskWindows } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("orders that could not be read", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let client: FakeClient;
  let unreadable: string[];

  beforeEach(() => {
    machine = new DeskWindows();
    timers = new FakeTimers();
    client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000" }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    unreadable = [];
    client.capabilities = { openOrders: () => Promise.resolve({ orders: [], unreadable }) };
  });
  afterEach(() => machine.close());

  const open = (key = "first"): Promise<DeskWindow> =>
    machine.open({ client, timers, credentials: pairOf(key, "secret") });
  const isSaid = ({ following }: DeskWindow, isUnreadable = true): Promise<true> =>
    waitFor(`unreadable: ${isUnreadable}`, async () => {
      await timers.advance(1000);
      return following.unreadable.isAny === isUnreadable;
    });

  it("are known to every window of the account, also one that opens later, until they can be read", async () => {
    const reader = await open();
    reader.visibleOrders.set(reader, ["THB_BTC"]);
    const window = await open();
    unreadable = ["#1"];
    await isSaid(reader);
    await isSaid(window);
    const later = await open();
    await isSaid(later);
    unreadable = [];
    for (const each of [reader, window, later]) await isSaid(each, false);
  });
});
