import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Orders } from "../../../../src/desk/orders/orders.ts";
import { UnknownOrders } from "../../../../src/desk/unknown/unknownOrders.ts";
import type { CurrentVenue } from "../../../../src/desk/venue.ts";
import { NoResponseError, RefusedError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { testBid } from "../../../support/builders/client.ts";
import { venueOf } from "../../../support/builders/orderDesk.ts";
import { likeReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  openVenue,
  walletOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { systemWith, unsyncedSystem } from "../../../support/fakes/operatingSystem.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");
const refused = new RefusedError("placeBid", { code: 18, httpStatus: 200 });

describe("the evidence for an unknown bid", () => {
  let directory: string;
  let timers: FakeTimers;
  let client: FakeClient;
  let venue: CurrentVenue;
  let orders: Orders;
  let unknownBids: UnknownOrders;
  let isFull: boolean;
  let troubles: unknown[];

  beforeEach(async () => {
    directory = temporaryFolder();
    timers = new FakeTimers(Date.now());
    client = new FakeClient();
    isFull = false;
    troubles = [];
    const { files } = unsyncedSystem;
    const os = systemWith({
      ...files,
      fsyncSync: () => undefined,
      writeSync: (...write) => (isFull ? 0 : files.writeSync(...write)),
    });
    balanceIs({ THB: "5000" });
    venue = await openVenue(client);
    orders = new Orders({
      open: async () => openOrderJournal({ directory, now: timers.now, os }),
      newId: randomUUID,
      now: timers.now,
      onError: (error) => troubles.push(error),
    });
    watch();
  });
  afterEach(async () => {
    unknownBids.dispose();
    await orders.close();
    assert.equal(troubles.length > 0, isFull, troubles.join());
  });

  function watch(): void {
    unknownBids = new UnknownOrders({ orders, venue, timers, random: () => 0.5, isMine: () => true });
  }

  function balanceIs(balances: Record<string, string>): void {
    client.walletAnswer = () => Promise.resolve(walletOf(balances));
  }

  /** The exchange lists one bid like that of `begin`. */
  function arrives(): void {
    const orders = [likeReport(testBid(), "7", timers.now())];
    client.capabilities = { openOrders: () => Promise.resolve({ orders, unreadable: [] }) };
  }

  /** Records a bid that is compared with a balance of 5000. */
  function begin(bid = testBid()): Promise<string> {
    return orders.recordIntent(bid, venueOf(venue), new Decimal("5000"));
  }

  async function finish(id: string, kind: "accepted" | "rejected" | "unknown"): Promise<void> {
    const sent = { venue: venueOf(venue), order: testBid() };
    if (kind === "accepted") await orders.recordOutcome(id, { kind, ...sent, receipt: { orderId: "1" } });
    else await orders.recordOutcome(id, { kind, ...sent, error: kind === "rejected" ? refused : lost });
  }

  async function loseAnswer(bid = testBid()): Promise<string> {
    const id = await begin(bid);
    await finish(id, "unknown");
    return id;
  }

  function bidOf(id: string): OwnOrder {
    return orders.own.find(({ intent }) => intent.id === id) ?? assert.fail();
  }

  /** The recorded balance checks of a bid. */
  function looksAt(id: string): unknown[] {
    return bidOf(id).evidence.flatMap((event) =>
      event.kind === "check" ? [{ available: event.available, text: event.text }] : [],
    );
  }

  it("is recorded as figures for the user to judge, for every result", async () => {
    const id = await loseAnswer();
    await timers.advance(6000);
    assert.deepEqual(looksAt(id), [{ available: "5000", text: "THB before 5000, now 5000, difference 0" }]);
    balanceIs({ BTC: "1" });
    await timers.advance(10_000);
    assert.deepEqual(looksAt(id)[1], {
      available: undefined,
      text: "THB before 5000, now unknown, difference unknown",
    });
    balanceIs({ THB: "4000" });
    await timers.advance(30_000);
    const text = "THB before 5000, now 4000, difference -1000";
    assert.deepEqual([looksAt(id)[2], bidOf(id).state], [{ available: "4000", text }, "unknown"]);
  });

  it("is recorded even if the balance could not be read or was not known before", async () => {
    const unread = await loseAnswer();
    client.walletAnswer = () => Promise.reject(lost);
    await timers.advance(6000);
    assert.deepEqual(looksAt(unread), [
      { available: undefined, text: "the lists, the balance or the journal could not be read" },
    ]);
    const blind = await orders.recordIntent(testBid(), venue.signedIn ?? assert.fail(), undefined);
    await finish(blind, "unknown");
    balanceIs({ THB: "4000" });
    await timers.advance(6000);
    assert.deepEqual(looksAt(blind), [
      {
        available: "4000",
        text: "THB before unknown, now 4000, difference unknown",
      },
    ]);
    await unknownBids.check(bidOf(blind));
    assert.equal(bidOf(blind).state, "unknown", "a check on request does not find out either");
  });

  it("is searched for again if the result could not be recorded", async () => {
    const id = await loseAnswer();
    arrives();
    isFull = true;
    await timers.advance(6000);
    assert.equal(bidOf(id).state, "unknown");
    isFull = false;
    await timers.advance(60_000);
    assert.equal(bidOf(id).state, "accepted");
    const reads = client.calls.wallet;
    await timers.advance(300_000);
    assert.equal(client.calls.wallet, reads, "a recorded result is final");
    isFull = true;
  });

  it("gives way to the outcome that could not be recorded, as soon as the disk takes the outcome", async () => {
    const id = await begin();
    isFull = true;
    await finish(id, "accepted");
    assert.equal(bidOf(id).state, "unknown", "as on the disk, and at once");
    await timers.advance(6000);
    assert.equal(bidOf(id).state, "unknown");
    isFull = false;
    await timers.advance(15_000);
    assert.deepEqual([bidOf(id).state, bidOf(id).orderId], ["accepted", "1"]);
    const reads = client.calls.wallet;
    await timers.advance(300_000);
    assert.equal(client.calls.wallet, reads, "the order is no longer unknown");
    isFull = true;
  });

  for (const [other, mark] of [
    ["sending"],
    ["unknown"],
    ["unresolved", "unresolved"],
    ["marked as accepted", "accepted"],
    ["marked as not placed", "notPlaced"],
  ] as const)
    it(`proves nothing about one of two bids with the same figures if the other is ${other}`, async () => {
      const otherId = await begin();
      if (other !== "sending") await finish(otherId, "unknown");
      if (mark) await orders.settle(otherId, { by: "user", as: mark, evidence: "" });
      const id = await loseAnswer();
      arrives();
      await unknownBids.check(bidOf(id));
      assert.equal(bidOf(id).state, "unknown");
      assert.equal(bidOf(otherId).state, mark ?? other);
    });

  it("is not read for a settled bid or in a closed window", async () => {
    await orders.settle(await loseAnswer(), { by: "user", as: "notPlaced", evidence: "" });
    await timers.advance(10_000);
    assert.equal(client.calls.wallet, 0);
    await loseAnswer();
    unknownBids.dispose();
    await loseAnswer();
    await venue.select(practiceAccount);
    assert.equal(timers.nextIn, undefined, "no timer is set");
    await timers.advance(130_000);
    assert.equal(client.calls.wallet, 0);
  });

  it("is read for a bid from an earlier run, and leaves a bid alone whose check is not due yet", async () => {
    unknownBids.dispose();
    const first = await loseAnswer();
    watch();
    await timers.advance(3000);
    const second = await loseAnswer();
    await timers.advance(2500);
    assert.deepEqual([looksAt(first).length, looksAt(second).length], [1, 0]);
    await timers.advance(3000);
    assert.deepEqual([looksAt(first).length, looksAt(second).length], [1, 1]);
  });

  it("is read at once on request, only for bids that are due", async () => {
    const id = await loseAnswer();
    await unknownBids.runDueChecks();
    assert.equal(client.calls.wallet, 0, "not due");
    timers.sleep(60_000);
    await unknownBids.runDueChecks();
    assert.equal(client.calls.wallet, 1);
    await timers.advance(0);
    assert.equal(looksAt(id).length, 1);
  });

  it("is ignored if the venue changed while the wallet was read", async () => {
    const id = await loseAnswer();
    let answer = (): void => assert.fail("not asked");
    client.walletAnswer = () =>
      new Promise((resolve) => {
        answer = () => resolve(walletOf({ THB: "4000" }));
      });
    const check = unknownBids.check(bidOf(id));
    await timers.advance(0);
    await venue.select(liveAccount);
    answer();
    await assert.rejects(check, /account changed while its wallet was read/);
    assert.deepEqual(looksAt(id), []);
    assert.equal(bidOf(id).state, "unknown");
  });

  it("belongs to its account, at any address", async () => {
    let port = 1;
    unknownBids.dispose();
    venue = currentVenue({
      open: byKind({
        practice: () => Promise.resolve(openingOf(`http://127.0.0.1:${port}`, { addressMayChange: true })),
        live: () => Promise.resolve(openingOf("https://api.example.com")),
      }),
      createClient: () => client,
    });
    watch();

    await venue.select(liveAccount);
    await venue.signIn("wallet");
    const live = await loseAnswer();
    await venue.select({ id: "2".repeat(16), label: "Savings", kind: "live" });
    await venue.signIn("wallet");
    await timers.advance(10_000);
    assert.equal(client.calls.wallet, 0, "nothing is asked for another account");
    await assert.rejects(unknownBids.check(bidOf(live)), /another exchange/);
    await venue.select(liveAccount);
    await unknownBids.check(bidOf(live));
    await timers.advance(0);
    assert.ok(looksAt(live).length > 0);

    await venue.select(practiceAccount);
    await assert.rejects(unknownBids.check(bidOf(live)), /another exchange/);
    await finish(live, "rejected");
    const practised = await loseAnswer();
    port = 2;
    await venue.select(practiceAccount);
    await unknownBids.check(bidOf(practised));
    await timers.advance(0);
    assert.ok(looksAt(practised).length > 0);
    await venue.select(liveAccount);
    await assert.rejects(unknownBids.check(bidOf(practised)), /another exchange/);
  });
});
