import assert from "node:assert/strict";
import { BalanceFeed } from "../../../src/desk/balanceFeed.ts";
import { NotSentError, RefusedError } from "../../../src/exchange/errors.ts";
import { plainText } from "../../../src/market/decimal.ts";
import { FakeTimers } from "../../support/fakeTimers.ts";
import { FakeClient, openVenue, walletOf } from "../../support/fakeVenue.ts";

async function feedOf(client = new FakeClient()) {
  const timers = new FakeTimers();
  const venue = await openVenue(client);
  return {
    timers,
    venue,
    client,
    feed: new BalanceFeed({ venue, timers, random: () => 1, intervalMs: 30_000 }),
  };
}

describe("the balance feed", () => {
  it("keeps the last balances when a reading fails", async () => {
    const { feed, client } = await feedOf();
    await feed.poll.refresh();
    client.walletAnswer = async () => {
      throw new RefusedError("wallet", { code: 3, httpStatus: 200 });
    };
    await feed.poll.refresh();
    assert.equal(plainText(feed.state.wallet?.get("THB")?.available ?? assert.fail()), "1000");
    assert.ok(feed.state.problem instanceof RefusedError);
    assert.equal(feed.needsCredentials, false);
  });

  it("takes a missing key for something to enter, not for a failure to back off from", async () => {
    const { feed, client, timers } = await feedOf();
    client.walletAnswer = async () => {
      throw new NotSentError("wallet", "noCredentials", "none");
    };
    feed.poll.watch();
    await timers.advance(0);
    assert.equal(feed.needsCredentials, true);
    assert.equal(timers.nextIn, 30_000);
  });

  it("never shows one venue's balance under another's name", async () => {
    const { feed, venue, client } = await feedOf();
    let answer: (wallet: ReturnType<typeof walletOf>) => void = () => assert.fail();
    client.walletAnswer = () => new Promise((resolve) => (answer = resolve));
    const reading = feed.poll.refresh();
    await venue.select("live");
    feed.clear();
    answer(walletOf({ THB: "5" }));
    await reading;
    assert.equal(feed.state.wallet, undefined);
  });
});
