import assert from "node:assert/strict";
import type { Account } from "../../../../src/market/account.ts";
import { testCredentials } from "../../../support/builders/client.ts";
import { type DeskWindow, DeskWindows } from "../../../support/desks/windows.ts";
import { alertChannel } from "../../../support/fakes/alertChannel.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { accountOfKind, FakeClient, openingOf, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

const main = accountOfKind.live;
const savings: Account = { id: "2".repeat(16), label: "Savings", kind: "live" };
const INTERVAL_MS = 5000;

describe("alerts of an account that no window shows", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let clients: Record<string, FakeClient>;
  let keysRead: number;
  let announced: string[];
  beforeEach(() => {
    machine = new DeskWindows();
    timers = new FakeTimers();
    clients = { [main.id]: new FakeClient(), [savings.id]: new FakeClient() };
    keysRead = 0;
    announced = [];
  });
  afterEach(() => machine.close());

  const clientOf = ({ id }: Account): FakeClient => clients[id] ?? assert.fail(id);
  function priceIs(account: Account, last: number): void {
    clientOf(account).tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last })));
  }

  async function open(account: Account): Promise<DeskWindow> {
    const window = await machine.open({
      timers,
      account,
      intervalMs: INTERVAL_MS,
      openVenue: async (of) =>
        openingOf(`https://${of.id}.example`, {
          credentials: () => {
            if (of.id === savings.id) keysRead += 1;
            return Promise.resolve(testCredentials);
          },
        }),
      createClient: ({ profile }) => clients[profile.baseUrl.host.split(".")[0] ?? ""] ?? assert.fail(),
      channels: [alertChannel(({ id }) => announced.push(id))],
    });
    await window.alerts();
    return window;
  }

  /** Two windows on the main account, and an alert of the other one, which a window showed before. */
  async function openWithAlert() {
    const windows = [await open(savings), await open(main)] as const;
    for (const { id, label } of [main, savings]) windows[0].accounts.add({ id, label, profile: {} });
    await waitFor("the accounts", () => windows[1].accounts.get(savings.id));
    const alert = (await windows[0].alerts()).add("THB_BTC", { kind: "above", price: "110" }, false);
    await windows[0].venue.select(main);
    await waitFor("the window to follow", () => windows[0].windows.role === "follower");
    return { windows, alert };
  }
  async function polls(account: Account): Promise<number> {
    await timers.advance(INTERVAL_MS);
    const before = clientOf(account).calls.tickers;
    await timers.advance(INTERVAL_MS);
    return clientOf(account).calls.tickers - before;
  }

  it("stay on: one window polls the prices they need, without a key", async () => {
    const { alert } = await openWithAlert();
    const { wallet } = clientOf(savings).calls;
    const before = keysRead;
    assert.equal(await polls(savings), 1);
    priceIs(savings, 111);
    await timers.advance(INTERVAL_MS);
    assert.deepEqual(announced, [alert.id]);
    assert.deepEqual([clientOf(savings).calls.wallet, keysRead], [wallet, before]);
    assert.equal(await polls(savings), 0);
  });

  it("do not fire at the prices of another account", async () => {
    await openWithAlert();
    priceIs(main, 111);
    await timers.advance(2 * INTERVAL_MS);
    assert.deepEqual(announced, []);
  });

  it("are watched by the next window when the watching one is closed", async () => {
    const { windows, alert } = await openWithAlert();
    windows[0].dispose();
    await waitFor("the takeover", () => windows[1].allWindows.role === "leader");
    priceIs(savings, 111);
    await timers.advance(2 * INTERVAL_MS);
    assert.deepEqual(announced, [alert.id]);
  });

  it("are watched by the window that shows the account, if there is one", async () => {
    const { windows, alert } = await openWithAlert();
    await windows[1].venue.select(savings);
    await waitFor("the other window to know", () =>
      windows[0].allWindows.followers.some(({ demand }) => demand.shows === savings.id),
    );
    assert.equal(await polls(savings), 1);
    priceIs(savings, 111);
    await timers.advance(2 * INTERVAL_MS);
    assert.deepEqual(announced, [alert.id]);
  });

  it("are off once the account is removed", async () => {
    const { windows } = await openWithAlert();
    windows[0].accounts.remove(savings.id);
    assert.equal(await polls(savings), 0);
  });
});
