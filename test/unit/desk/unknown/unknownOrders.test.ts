import assert from "node:assert/strict";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import { UnknownOrders } from "../../../../src/desk/unknown/unknownOrders.ts";
import type { CurrentVenue } from "../../../../src/desk/venue.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { testBid } from "../../../support/builders/client.ts";
import { openKeyedVenue, openOrders } from "../../../support/builders/orderDesk.ts";
import { likeReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, walletOf, liveAccount } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");

describe("the unknown bids", () => {
  let directory: string;
  let timers: FakeTimers;
  let client: FakeClient;
  let venue: CurrentVenue;
  let orders: Orders;
  let unknownBids: UnknownOrders;
  let mine: boolean;
  let sentAt: number;

  beforeEach(async () => {
    directory = temporaryFolder();
    timers = new FakeTimers(Date.now());
    client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5000" }));
    venue = await openVenue(client);
    mine = true;
    start();
  });
  afterEach(async () => {
    unknownBids.dispose();
    await orders.close();
  });

  function start(): void {
    orders = openOrders(directory, timers, () => crypto.randomUUID());
    unknownBids = new UnknownOrders({ orders, venue, timers, random: () => 0.5, isMine: () => mine });
  }

  /** The exchange lists a bid like the ones of `loseAnswer`, placed with the last of them. */
  function arrives(orderId = "7", ...others: readonly string[]): void {
    const listed = [orderId, ...others].map((each) => likeReport(testBid(), each, sentAt));
    client.capabilities = { openOrders: () => Promise.resolve({ orders: listed, unreadable: [] }) };
  }

  async function loseAnswer(): Promise<string> {
    const bid = testBid();
    sentAt = timers.now();
    const at = venue.signedIn ?? assert.fail();
    const id = await orders.recordIntent(bid, at, new Decimal("5000"));
    await orders.recordOutcome(id, { kind: "unknown", venue: at, order: bid, error: lost });
    return id;
  }

  /** The window is closed and opened again, and keeps only what is in the journal. */
  async function restart(): Promise<void> {
    unknownBids.dispose();
    await orders.close();
    start();
    await orders.reread();
  }

  const states = (): string[] => orders.own.map(({ state }) => state);

  it("are accepted some seconds after the only new order like them is listed, with its id", async () => {
    await loseAnswer();
    arrives();
    await timers.advance(4000);
    assert.deepEqual(states(), ["unknown"]);
    await timers.advance(2000);
    assert.deepEqual(states(), ["accepted"]);
    assert.equal(orders.own[0]?.orderId, "7");
    assert.equal(client.calls.placeOrder, 0);
  });

  it("are not checked while their account is signed out, and at once when its key is stored again", async () => {
    let key: string | undefined = "first";
    venue = await openKeyedVenue(client, timers, orders, () => key);
    const signIn = async (next: string | undefined): Promise<void> => {
      key = next;
      venue.changeKey();
      await venue.signIn("wallet").catch(() => undefined);
    };
    await restart();
    await loseAnswer();
    arrives();
    for (const other of [undefined, "second"]) {
      await signIn(other);
      await timers.advance(60_000);
      assert.deepEqual([states(), client.calls.wallet], [["unknown"], 0]);
    }
    await signIn("first");
    await timers.advance(1);
    assert.deepEqual(states(), ["accepted"]);
  });

  it("are left to the user after the last check whatever the balance, and never get the state not placed", async () => {
    await loseAnswer();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "4000" }));
    await timers.advance(130_000);
    assert.deepEqual(states(), ["unresolved"]);
    assert.equal(client.calls.wallet, 4);
    await timers.advance(600_000);
    assert.equal(client.calls.wallet, 4, "no check after the last");
  });

  it("are checked again by the next window after a window was killed", async () => {
    await loseAnswer();
    unknownBids.dispose();
    await timers.advance(60_000);
    arrives();
    await restart();
    await timers.advance(2000);
    assert.deepEqual(states(), ["accepted"]);
  });

  it("are checked once after a restart at any age, and again until the balance can be read", async () => {
    await loseAnswer();
    unknownBids.dispose();
    await timers.advance(86_400_000);
    client.walletAnswer = () => Promise.reject(lost);
    await restart();
    await timers.advance(600_000);
    assert.deepEqual(states(), ["unknown"]);
    assert.equal(orders.own[0]?.evidence.filter(({ kind }) => kind === "check").length, 1);
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "4000" }));
    arrives();
    await timers.advance(60_000);
    assert.deepEqual(states(), ["accepted"]);
    assert.equal(client.calls.placeOrder, 0);
  });

  it("are accepted beside another bid of the same figures, whose id is known", async () => {
    await loseAnswer();
    const at = venue.signedIn ?? assert.fail();
    const other = await orders.recordIntent(testBid("1000"), at, new Decimal("5000"));
    await orders.recordOutcome(other, {
      kind: "accepted",
      venue: at,
      order: testBid("1000"),
      receipt: { orderId: "1" },
    });
    arrives("1", "7");
    await timers.advance(130_000);
    assert.deepEqual(orders.own.map(({ orderId }) => orderId).sort(), ["1", "7"]);
  });

  it("are not checked by a window in the background, or while another venue is open", async () => {
    mine = false;
    await loseAnswer();
    await timers.advance(130_000);
    assert.equal(client.calls.wallet, 0);
    mine = true;
    await venue.select(liveAccount);
    await timers.advance(130_000);
    assert.equal(client.calls.wallet, 0);
    assert.deepEqual(states(), ["unknown"]);
    await venue.select(practiceAccount);
    await timers.advance(2000);
    assert.ok(client.calls.wallet > 0);
  });

  it("are checked at the user's request, only at their own venue", async () => {
    await loseAnswer();
    arrives();
    const [bid] = orders.own;
    await unknownBids.check(bid ?? assert.fail());
    assert.deepEqual(states(), ["accepted"]);
    await venue.select(liveAccount);
    await assert.rejects(unknownBids.check(bid ?? assert.fail()), /another exchange/);
  });

  it("are not searched for in a new practice account after a reset, in any window", async () => {
    await loseAnswer();
    const [before] = orders.own;
    await orders.recordAccountReset();
    arrives();
    await timers.advance(130_000);
    assert.deepEqual([states(), client.calls.wallet], [["accountReset"], 0]);
    assert.equal(orders.attention, 0);
    for (const bid of [before, orders.own[0]])
      await assert.rejects(unknownBids.check(bid ?? assert.fail()), /reset/);
    const { wallet } = client.calls;
    await restart();
    await timers.advance(130_000);
    assert.deepEqual([states(), client.calls.wallet], [["accountReset"], wallet]);
  });

  it("are found although one of an earlier account had the same figures", async () => {
    await loseAnswer();
    await timers.advance(1000);
    await orders.recordAccountReset();
    await timers.advance(1000);
    const id = await loseAnswer();
    arrives();
    await timers.advance(6000);
    assert.equal(orders.own.find(({ intent }) => intent.id === id)?.state, "accepted");
  });

  it("all count as sent before a recorded reset, also if the clock was set back", async () => {
    const id = await loseAnswer();
    timers.sleep(-3_600_000);
    await orders.recordAccountReset();
    assert.equal(orders.own.find(({ intent }) => intent.id === id)?.state, "accountReset");
  });
});
