import assert from "node:assert/strict";
import { NotSentError, RefusedError } from "../../../../src/exchange/errors.ts";
import { knownBalance } from "../../../../src/market/balance.ts";
import { plainText } from "../../../../src/market/numbers/decimal.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, walletOf, liveAccount } from "../../../support/fakes/venue.ts";
import { aloneWindow, balanceFeed } from "../../../support/fakes/feeds.ts";

async function feedOf(client = new FakeClient()) {
  const timers = new FakeTimers();
  const venue = await openVenue(client);
  const window = aloneWindow();
  return {
    timers,
    venue,
    client,
    window,
    feed: balanceFeed(venue, timers, window),
  };
}

describe("the balance feed", () => {
  it("keeps the last balances when a poll fails", async () => {
    const { feed, client } = await feedOf();
    await feed.refresh();
    client.walletAnswer = async () => {
      throw new RefusedError("wallet", { code: 3, httpStatus: 200 });
    };
    await feed.refresh();
    assert.equal(plainText(knownBalance(feed.state.wallet, "THB")?.available ?? assert.fail()), "1000");
    assert.ok(feed.state.problem instanceof RefusedError);
    assert.equal(feed.needsCredentials, false);
  });

  it("keeps its newer balances when an older poll arrives, with a problem or without", async () => {
    const { feed, timers } = await feedOf();
    await feed.refresh();
    const readAt = timers.now();
    await timers.advance(1000);
    const problem = new NotSentError("wallet", "unreachable", "late");
    for (const older of [
      { wallet: walletOf({ THB: "5" }), readAt: readAt - 1, problem: undefined },
      { wallet: walletOf({ THB: "5" }), readAt: readAt - 1, problem },
      // Another window took over and has not read anything yet.
      { wallet: undefined, readAt: undefined, problem },
    ]) {
      feed.adopt(older);
      assert.equal(feed.available("THB")?.toFixed(), "1000");
      assert.deepEqual([feed.state.readAt, feed.state.problem], [readAt, older.problem]);
    }
    feed.adopt({ wallet: walletOf({ THB: "5" }), readAt, problem: undefined });
    assert.equal(feed.available("THB")?.toFixed(), "5");
  });

  it("reports a failure once, also after several tries", async () => {
    const { feed, client, timers, window } = await feedOf();
    const events: unknown[] = [];
    feed.onDidChange(({ problem }) => events.push(problem));
    client.walletAnswer = async () => {
      throw new RefusedError("wallet", { code: 3, httpStatus: 200 });
    };
    window.setDemand({ active: true });
    await timers.advance(600_000);
    assert.ok(client.calls.wallet > 9);
    assert.equal(events.length, 1);
  });

  it("asks for a missing key, and does not treat it as a failure to back off from", async () => {
    const { feed, client, timers, window } = await feedOf();
    client.walletAnswer = async () => {
      throw new NotSentError("wallet", "noCredentials", "none");
    };
    window.setDemand({ active: true });
    await timers.advance(0);
    assert.equal(feed.needsCredentials, true);
    assert.equal(timers.nextIn, 30_000);
  });

  it("treats an asset missing from the wallet as zero, so that it cannot be sold", async () => {
    const { feed, client } = await feedOf();
    assert.equal(feed.available("BTC"), undefined);
    client.walletAnswer = async () => walletOf({ THB: "5" });
    await feed.refresh();
    assert.equal(feed.available("BTC")?.toFixed(), "0");
  });

  it("gives no available balance that was requested more than ten minutes ago", async () => {
    const { feed, timers, client } = await feedOf();
    const free = (): string | undefined => feed.available("THB")?.toFixed();
    assert.equal(free(), undefined);
    client.walletAnswer = async () => {
      timers.sleep(1000);
      return walletOf({ THB: "5" });
    };
    await feed.refresh();
    assert.equal(free(), "5");
    await timers.advance(599_000);
    assert.equal(free(), "5");
    await timers.advance(1);
    assert.equal(free(), undefined);
    timers.sleep(-600_002);
    assert.equal(free(), undefined, "a balance has no age after the clock was set back");
  });

  it("gives no available balance if the balance is unreadable", async () => {
    const { feed, client } = await feedOf();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "unreadable", BTC: "1" }));
    await feed.refresh();
    assert.equal(feed.available("THB"), undefined);
    assert.equal(feed.available("BTC")?.toFixed(), "1");
  });

  it("never shows one venue's balance under another venue's name", async () => {
    const { feed, venue, client } = await feedOf();
    let answer: (wallet: ReturnType<typeof walletOf>) => void = () => assert.fail();
    client.walletAnswer = () => new Promise((resolve) => (answer = resolve));
    void feed.refresh();
    await settle();
    await venue.select(liveAccount);
    answer(walletOf({ THB: "5" }));
    await settle();
    assert.equal(feed.state.wallet, undefined);
  });
});
