import assert from "node:assert/strict";
import { join } from "node:path";
import { monotonicTimers } from "../../../../src/time/timers.ts";
import type { MarketSnapshot } from "../../../../src/exchange/client.ts";
import { NotSentError, RefusedError, retryTime } from "../../../../src/exchange/errors.ts";
import { meaningOf } from "../../../../src/exchange/meaning.ts";
import { Hub, type HubEvents } from "../../../../src/hub/hub.ts";
import { liveAt } from "../../../support/desks/testDesk.ts";
import { type DeskOptions, type DeskWindow, DeskWindows, openDesk } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openingOf, snapshotOf, tickerOf, byKind } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const FEW = [tickerOf("THB_BTC"), tickerOf("THB_ETH")];

describe("the market of several windows", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let client: FakeClient;
  beforeEach(() => {
    machine = new DeskWindows();
    timers = new FakeTimers();
    client = new FakeClient();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...FEW));
  });
  afterEach(() => machine.close());

  const open = (given: Partial<DeskOptions> = {}): Promise<DeskWindow> =>
    machine.open({ client, timers, ...given });
  const shows = (window: DeskWindow, last: number): Promise<true> =>
    waitFor(`${last} to be shown`, () => window.tickers.ticker("THB_BTC")?.last === last);

  /** Sets the price, and lets time pass until a round has read the price. */
  async function priceBecomes(last: number, ms = 5000): Promise<void> {
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last }), tickerOf("THB_ETH")));
    await timers.advance(ms);
  }

  it("is read once in each interval for all windows, and shown by all windows", async () => {
    const windows = [await open(), await open(), await open()];
    await Promise.all(windows.map((window) => shows(window, 100)));
    assert.equal(client.calls.tickers, 1);
    for (let round = 1; round <= 5; round += 1) {
      await priceBecomes(100 + round);
      await Promise.all(windows.map((window) => shows(window, 100 + round)));
      assert.equal(client.calls.tickers, 1 + round);
    }
    const [first, ...others] = windows.map(({ tickers }) => tickers.state);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("is complete at once in a window that opens later, without a request", async () => {
    await shows(await open(), 100);
    const late = await open();
    await shows(late, 100);
    assert.equal(client.calls.tickers, 1);
    assert.deepEqual(late.events, [{ changed: [], rowsChanged: true, staleChanged: false }]);
  });

  it("changes the same rows in all windows, and no row without a change", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    leader.events.length = follower.events.length = 0;
    await priceBecomes(101);
    await shows(follower, 101);
    await timers.advance(5000);
    await waitFor("the unchanged round", () => follower.tickers.state.readAt === leader.tickers.state.readAt);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_XRP")));
    await timers.advance(5000);
    await waitFor("the new row", () => follower.tickers.ticker("THB_XRP"));
    assert.deepEqual(follower.events, [
      { changed: ["THB_BTC"], rowsChanged: false, staleChanged: false },
      { changed: [], rowsChanged: true, staleChanged: false },
    ]);
    assert.deepEqual(follower.events, leader.events);
    assert.deepEqual([...follower.tickers.state.tickers.keys()], ["THB_XRP"]);
  });

  it("of thousands of pairs arrives complete, and changes pair by pair", async () => {
    const many = Array.from({ length: 3500 }, (_, index) => tickerOf(`THB_A${index}`));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...many));
    const leader = await open();
    await waitFor("the market", () => leader.tickers.state.tickers.size === many.length);
    const follower = await open();
    await waitFor("the market", () => follower.tickers.state.tickers.size === many.length);
    assert.deepEqual(follower.tickers.state, leader.tickers.state);
    const turned = many.map((each, index) => (index % 3 === 0 ? { ...each, bestAsk: undefined } : each));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...turned));
    follower.events.length = 0;
    await timers.advance(5000);
    await waitFor("the change", () => follower.events.length > 0);
    assert.equal(follower.events[0]?.changed.length, Math.ceil(many.length / 3));
    assert.deepEqual(follower.tickers.state, leader.tickers.state);
  });

  it("reports a problem once in all windows, and the problem's end too", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    const failure = new RefusedError("tickers", {
      code: 30,
      httpStatus: 429,
      retryAt: timers.now() + 30_000,
    });
    client.isRateLimited = true;
    client.tickersAnswer = () => Promise.reject(failure);
    await timers.advance(5000);
    const reported = await waitFor("the failure", () => follower.tickers.state.problem);
    assert.equal(meaningOf(reported), "rateLimit");
    assert.equal(retryTime(reported), failure.retryAt);
    assert.equal(follower.tickers.isStale, true);
    assert.equal(follower.tickers.ticker("THB_BTC")?.last, 100);
    await priceBecomes(102, 30_000);
    await shows(follower, 102);
    assert.equal(follower.tickers.isStale, false);
    assert.deepEqual(follower.events, leader.events.slice(-follower.events.length));
  });

  it("reports the problem in a window that never had any price", async () => {
    client.tickersAnswer = () => Promise.reject(new NotSentError("tickers", "unreachable", "refused"));
    const [leader, follower] = [await open(), await open()];
    const reported = await waitFor("the failure", () => follower.tickers.state.problem);
    assert.equal(meaningOf(reported), "unreachable");
    assert.equal(leader.windows.role, "leader");
  });

  it("is read as often as any window needs, slower if the user is away, never if hidden", async () => {
    const hidden = { isVisible: false, window: { focused: false, active: true } };
    const [leader, follower] = [await open(hidden), await open()];
    await shows(leader, 100);
    const inFront = { visible: true, focused: true, active: true };
    const calls = async (demand: Parameters<typeof follower.windows.setDemand>[0]): Promise<number> => {
      follower.windows.setDemand(demand);
      await waitFor("the leader to know the demand", () => {
        const known = leader.windows.demandsFor("market")[1];
        return (
          known &&
          Object.entries(demand).every(([name, value]) => known[name as keyof typeof known] === value)
        );
      });
      const before = client.calls.tickers;
      await timers.advance(40_000);
      return client.calls.tickers - before;
    };
    await timers.advance(5000);
    assert.equal(await calls(inFront), 8);
    assert.equal(await calls({ ...inFront, focused: false }), 2);
    assert.equal(await calls({ ...inFront, active: false }), 2);
    assert.equal(follower.tickers.isStale, false, "as fresh as expected");
    assert.equal(await calls({ ...inFront, visible: false }), 0);
    assert.equal(await calls({ visible: false, focused: false, active: false, armed: true }), 9);
    assert.equal(await calls({ armed: false }), 0);
  });

  it("is not read in an hour when every window is hidden and no alert is on", async () => {
    const hidden = { isVisible: false, window: { focused: false, active: false } };
    const windows = [await open(hidden), await open(hidden)];
    await timers.advance(3_600_000);
    assert.equal(client.calls.tickers + client.calls.wallet + client.calls.serverTime, 0);
    assert.equal(windows[0]?.windows.role, "leader");
  });

  it("is read once in a hidden window at work, because the status bar needs the quote asset", async () => {
    await shows(await open({ isVisible: false }), 100);
    await timers.advance(3_600_000);
    assert.equal(client.calls.tickers, 1);
  });

  it("is not polled before the polling window is known", async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const window = openDesk(machine.hubs.directory, { client, timers, openWindows: never });
    await timers.advance(60_000);
    assert.equal(client.calls.tickers + client.calls.wallet, 0);
    window.dispose();
  });

  it("is read by each window for itself if the windows cannot connect", async () => {
    const fails = (): Promise<never> => Promise.reject(new Error("EMFILE"));
    const windows = [await open({ openWindows: fails }), await open({ openWindows: fails })];
    await Promise.all(windows.map((window) => shows(window, 100)));
    assert.equal(client.calls.tickers, 2);
    // The windows of its account, and all windows.
    assert.deepEqual(windows[0]?.troubles, ["EMFILE", "EMFILE"]);
  });

  it("is read by a window itself while it shows another account, and shared again after", async () => {
    const other = new FakeClient();
    other.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 7 })));
    const leader = await open();
    const follower = await open({ client: other, ...liveAt("https://api.example.com") });
    await shows(leader, 100);
    await shows(follower, 7);
    await priceBecomes(101);
    await shows(leader, 101);
    assert.deepEqual([client.calls.tickers, other.calls.tickers], [2, 2]);
    assert.equal(follower.tickers.ticker("THB_BTC")?.last, 7);
    await follower.venue.select(practiceAccount);
    const same = await open();
    await shows(same, 101);
    assert.equal(client.calls.tickers, 2);
  });

  it("of two addresses is two markets, also if the addresses differ only in the path", async () => {
    const keys = await Promise.all(
      ["https://api.example.com", "https://api.example.com/other", "https://api.example.org"].map(
        async (live) => (await open(liveAt(live))).windows.demand.venue,
      ),
    );
    assert.equal(new Set(keys).size, 3);
    for (const key of keys) assert.match(key ?? "", /^[0-9a-f]{16}$/);
  });

  it("is refreshed by the polling window when any window asks", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 103 })));
    await follower.tickers.refresh();
    assert.equal(follower.tickers.ticker("THB_BTC")?.last, 103);
    assert.equal(client.calls.tickers, 2);
    await leader.tickers.refresh();
    assert.equal(client.calls.tickers, 3);
  });

  it("is refreshed by the next leader if the leader closes before it refreshed", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    client.tickersAnswer = () => new Promise(() => undefined);
    const refreshed = follower.tickers.refresh();
    await waitFor("the leader to send the request", () => client.calls.tickers === 2);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 104 })));
    leader.dispose();
    await refreshed;
    assert.equal(follower.tickers.ticker("THB_BTC")?.last, 104);
    assert.equal(client.calls.tickers, 3);
  });

  it("is refreshed as soon as the exchange is open if it was still being opened", async () => {
    const opened = Promise.withResolvers<void>();
    const openVenue = byKind({
      live: () => Promise.resolve(openingOf("https://api.example.com")),
      practice: () => opened.promise.then(() => openingOf("http://127.0.0.1:1", { addressMayChange: true })),
    });
    const window = await open({ venue: "live", openVenue, isVisible: false });
    await shows(window, 100);
    void window.venue.select(practiceAccount);
    const refreshed = window.tickers.refresh();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 105 })));
    opened.resolve();
    // The clock does not run, so a wait with a timeout would never end.
    await refreshed;
    assert.equal(window.tickers.ticker("THB_BTC")?.last, 105);
  });

  it("is complete again in the others after a snapshot that could not be sent to them", async () => {
    let isStalled = false;
    const leader = await open({
      openWindows: async (demand, events, account = "") => {
        const directory = join(machine.hubs.directory, account);
        const hub = new Hub({ directory, demand, timers: monotonicTimers, events });
        return {
          ...bound(hub),
          get role() {
            return isStalled ? "joining" : hub.role;
          },
          get followers() {
            return hub.followers;
          },
          get leader() {
            return hub.leader;
          },
        };
      },
    });
    const follower = await open();
    await shows(follower, 100);
    const { promise, resolve } = Promise.withResolvers<MarketSnapshot>();
    client.tickersAnswer = () => promise;
    await timers.advance(5000);
    isStalled = true;
    resolve(snapshotOf(tickerOf("THB_BTC", { last: 101 }), tickerOf("THB_ETH")));
    await shows(leader, 101);
    isStalled = false;
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 101 }), tickerOf("THB_ETH", { last: 55 })));
    await timers.advance(5000);
    await waitFor("the next change", () => follower.tickers.ticker("THB_ETH")?.last === 55);
    assert.deepEqual(follower.tickers.state, leader.tickers.state);
  });

  it("is not replaced by a new leader's snapshot that is older than the window's own", async () => {
    let receive: HubEvents["received"] = () => undefined;
    const alone = {
      checkLead: () => false,
      setDemand() {},
      publish() {},
      ask() {},
      dispose() {},
    };
    const window = await open({
      openWindows: async (demand, { received }, account) => {
        if (account !== undefined) receive = received;
        return { ...alone, role: "follower", followers: [], leader: { ...demand, venue: "none" } };
      },
    });
    await shows(window, 100);
    const push = (last: number, readAt: number): void => {
      const tickers = [tickerOf("THB_BTC", { last })];
      receive({
        type: "market",
        venue: "practice",
        isNew: true,
        isLast: true,
        tickers,
        readAt,
        unreadable: 0,
      });
    };
    push(99, timers.now() - 1);
    assert.equal(window.tickers.ticker("THB_BTC")?.last, 100);
    push(101, timers.now());
    assert.equal(window.tickers.ticker("THB_BTC")?.last, 101);
  });

  it("does not delay the window if the settings allow no venue", async () => {
    const window = await open({ ...liveAt("https://api.example.com") });
    window.windows.setDemand({ venue: "none" });
    await window.tickers.refresh();
  });

  it("is read by another window an interval after the last request and not sooner", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    await timers.advance(2000);
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    await timers.advance(2999);
    assert.equal(client.calls.tickers, 1);
    await timers.advance(1);
    assert.equal(client.calls.tickers, 2);
  });

  it("is not read until the end of a rate limit that the leader met before it closed", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, 100);
    const retryAt = timers.now() + 35_000;
    client.isRateLimited = true;
    client.tickersAnswer = () =>
      Promise.reject(new RefusedError("tickers", { code: 30, httpStatus: 200, retryAt }));
    await timers.advance(5000);
    await waitFor("the rate limit", () => follower.tickers.state.problem);
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    const before = client.calls.tickers;
    await timers.advance(retryAt - timers.now() - 1);
    assert.equal(client.calls.tickers, before);
    await timers.advance(1);
    assert.equal(client.calls.tickers, before + 1);
    assert.deepEqual(client.rateLimits, [{ endpoint: "tickers", until: retryAt, limitsHost: false }]);
  });
});

/** The hub's methods, for an object with other getters. */
function bound(hub: Hub): Pick<Hub, "checkLead" | "setDemand" | "publish" | "ask" | "dispose"> {
  return {
    checkLead: () => hub.checkLead(),
    setDemand: (demand) => hub.setDemand(demand),
    publish: (message) => hub.publish(message),
    ask: (request) => hub.ask(request),
    dispose: () => hub.dispose(),
  };
}
