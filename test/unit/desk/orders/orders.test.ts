import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Orders, type SentOutcome } from "../../../../src/desk/orders/orders.ts";
import type { SignedIn } from "../../../../src/desk/venue.ts";
import {
  NoResponseError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
} from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { LimitOrder, Side } from "../../../../src/market/order.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { limitOrder } from "../../../support/builders/orderDesk.ts";
import { testBid } from "../../../support/builders/client.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, TEST_ACCOUNT, liveAccount } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

describe("the orders of this computer", () => {
  const timers = new FakeTimers(Date.now());
  let directory: string;
  let venue: SignedIn;
  let opened: Orders[];
  let troubles: unknown[];

  beforeEach(async () => {
    directory = temporaryFolder();
    venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    opened = [];
    troubles = [];
  });
  afterEach(() => Promise.all(opened.map((orders) => orders.close())));

  function open(folder = directory): Orders {
    const orders = new Orders({
      open: () => Promise.resolve(openOrderJournal({ directory: folder, now: timers.now })),
      newId: () => crypto.randomUUID(),
      now: timers.now,
      onError: (error) => troubles.push(error),
    });
    opened.push(orders);
    return orders;
  }

  const begin = (orders: Orders): Promise<string> =>
    orders.recordIntent(testBid(), venue, new Decimal("5000"));
  const lost = new NoResponseError("placeBid", "timeout", "10 s");

  it("list a bid from the moment it is recorded, with its outcome", async () => {
    const orders = open();
    let changes = 0;
    orders.onDidChange(() => (changes += 1));
    const id = await begin(orders);
    assert.deepEqual(
      orders.own.map(({ state }) => state),
      ["sending"],
    );
    await orders.recordOutcome(id, {
      kind: "accepted",
      venue,
      order: testBid(),
      receipt: { orderId: "9007199254740993" },
    });
    assert.deepEqual(
      orders.own.map(({ state, orderId }) => [state, orderId]),
      [["accepted", "9007199254740993"]],
    );
    assert.deepEqual(orders.own[0]?.intent.availableBefore, "5000");
    assert.equal(changes, 2);
  });

  it("report once that an exchange replaces client ids, and stop sending them", async () => {
    const reported: string[] = [];
    const orders = new Orders({
      open: () => Promise.resolve(openOrderJournal({ directory, now: timers.now })),
      newId: () => crypto.randomUUID(),
      now: timers.now,
      onClientIdIgnored: ({ name }) => reported.push(name),
      onError: (error) => troubles.push(error),
    });
    opened.push(orders);
    const features = { clientOrderId: { duplicates: "unknown" } } as const;
    const withIds = { ...venue, profile: { ...venue.profile, features } };
    const ids = [
      await orders.recordIntent(testBid(), withIds, undefined),
      await orders.recordIntent(testBid(), withIds, undefined),
    ];
    for (const id of ids) {
      assert.notEqual(orders.clientIdOf(id), undefined);
      const receipt = { orderId: id, clientId: "another" };
      await orders.recordOutcome(id, { kind: "accepted", venue: withIds, order: testBid(), receipt });
    }
    assert.deepEqual(reported, [venue.name]);
    assert.equal(orders.clientIdOf(await orders.recordIntent(testBid(), withIds, undefined)), undefined);
  });

  it("put bids that need attention before newer bids", async () => {
    const orders = open();
    const unknown = await begin(orders);
    await orders.recordOutcome(unknown, { kind: "unknown", venue, order: testBid(), error: lost });
    await timers.advance(1000);
    const refused = await begin(orders);
    const error = new RefusedError("placeBid", { code: 18, httpStatus: 200 });
    await orders.recordOutcome(refused, { kind: "rejected", venue, order: testBid(), error });
    assert.deepEqual(
      orders.own.map(({ state }) => state),
      ["unknown", "rejected"],
    );
    assert.equal(orders.attention, 1);
  });

  it("keep the user's decision about an unknown bid", async () => {
    const orders = open();
    const id = await begin(orders);
    await orders.recordOutcome(id, { kind: "unknown", venue, order: testBid(), error: lost });
    await orders.settle(id, { by: "user", as: "notPlaced", evidence: "" });
    const later = open();
    await later.reread();
    assert.deepEqual(
      later.own.map(({ state }) => state),
      ["notPlaced"],
    );
    assert.equal(later.attention, 0);
  });

  it("find the bids that may already be placed: unproven, same venue and pair, any window", async () => {
    const orders = open();
    const bids = {
      BTC: testBid(),
      ETH: { ...testBid(), symbol: "THB_ETH", pair: { quote: "THB", base: "ETH" } },
    };
    const accepted = { kind: "accepted", venue, order: bids.BTC, receipt: { orderId: "1" } } as const;
    const unknown = { kind: "unknown", venue, order: bids.BTC, error: lost } as const;
    const place = async (from: Orders, bid: LimitOrder, outcome?: SentOutcome): Promise<string> => {
      await timers.advance(1000);
      const id = await from.recordIntent(bid, venue, undefined);
      if (outcome) await from.recordOutcome(id, outcome);
      return id;
    };
    await place(orders, bids.BTC, accepted);
    await place(orders, bids.ETH, unknown);
    const settled = await place(orders, bids.BTC, unknown);
    await orders.settle(settled, { by: "user", as: "notPlaced", evidence: "" });
    const unresolved = await place(orders, bids.BTC, unknown);
    await orders.settle(unresolved, { by: "check", as: "unresolved", evidence: "" });
    const other = open();
    const elsewhere = await place(other, bids.BTC, unknown);
    const onItsWay = await place(other, bids.BTC);
    const found = async (at: SignedIn): Promise<string[]> =>
      (await orders.openLike(bids.BTC, at)).map(({ intent }) => intent.id);
    assert.deepEqual((await found(venue)).toSorted(), [unresolved, elsewhere, onItsWay].toSorted());
    const origin = "http://127.0.0.1:2";
    const moved = { ...venue, ref: { venue: "practice", origin } } as const;
    assert.equal((await found(moved)).length, 3, "the practice exchange at another address");
    const live = { ...venue, ref: { venue: "live", origin, account: TEST_ACCOUNT } } as const;
    assert.deepEqual(await found(live), [], "another account");
  });

  it("find the orders of one side only: a bid does not hide that an ask may be placed twice, nor the reverse", async () => {
    const orders = open();
    const unproven = new Map<Side, string>();
    for (const side of ["buy", "sell"] as const) {
      const order = limitOrder(side);
      const id = await orders.recordIntent(order, venue, undefined);
      await orders.recordOutcome(id, { kind: "unknown", venue, order, error: lost });
      unproven.set(side, id);
    }
    for (const [side, id] of unproven) {
      const found = await orders.openLike(limitOrder(side), venue);
      assert.deepEqual(
        found.map(({ intent }) => intent.id),
        [id],
      );
    }
  });

  it("keep a service's pause for every window, and for the next window after a kill", async () => {
    const orders = open();
    const until = timers.now() + 45_000;
    const limited: SentOutcome[] = [
      {
        kind: "rejected",
        venue,
        order: testBid(),
        error: new RefusedError("placeBid", { code: 30, httpStatus: 200, retryAt: until }),
      },
      {
        kind: "unknown",
        venue,
        order: testBid(),
        error: new RefusedError("placeBid", { code: 90, httpStatus: 429, retryAt: until - 1000 }),
      },
      {
        kind: "notSent",
        venue,
        order: testBid(),
        error: new NotSentError("placeBid", "clockUnknown", "server time", {
          cause: new NotSentError("serverTime", "rateLimit", "still running", { retryAt: until - 2000 }),
        }),
      },
    ];
    for (const [index, outcome] of limited.entries()) {
      assert.equal(orders.waitMs(venue), index === 0 ? 0 : 45_000);
      await orders.recordOutcome(await begin(orders), outcome);
    }
    const other = open();
    await other.reread();
    for (const each of [orders, other]) assert.equal(each.waitMs(venue), 45_000);
    const elsewhere = await openVenue(new FakeClient());
    await elsewhere.select(liveAccount);
    assert.equal(other.waitMs(elsewhere.venue ?? assert.fail()), 0, "a pause is for its own service only");
    await timers.advance(44_999);
    assert.equal(other.waitMs(venue), 1);
    await timers.advance(1);
    assert.equal(other.waitMs(venue), 0);
  });

  it("wait for the end of a pause of the whole host", async () => {
    const rateLimitedUntil = () => timers.now() + 5000;
    const limited = await openVenue(Object.assign(new FakeClient(), { rateLimitedUntil }));
    assert.equal(open().waitMs(limited.venue ?? assert.fail()), 5000);
  });

  it("ignore a pause recorded before the clock was set back, so that no trader is locked out", async () => {
    const orders = open();
    const retryAt = timers.now() + 600_000;
    const error = new RefusedError("placeBid", { code: 30, httpStatus: 200, retryAt });
    await orders.recordOutcome(await begin(orders), { kind: "rejected", venue, order: testBid(), error });
    assert.equal(orders.waitMs(venue), 600_000);
    const later = new Orders({
      open: () => Promise.resolve(openOrderJournal({ directory, now: timers.now })),
      newId: () => crypto.randomUUID(),
      now: () => timers.now() - 3_600_000,
      onError: (trouble) => troubles.push(trouble),
    });
    opened.push(later);
    await later.reread();
    assert.equal(later.waitMs(venue), 0);
    await timers.advance(3_600_000);
    assert.equal(later.waitMs(venue), 0, "also when the clock gets to that time again");
  });

  it("record nothing and report an error if the folder cannot be written", async () => {
    const file = join(directory, "a-file");
    writeFileSync(file, "");
    chmodSync(file, 0o400);
    await assert.rejects(begin(open(join(file, "orders"))), /could not be recorded/);
  });

  it("report an outcome that could not be recorded, and keep the recorded state of the bid", async () => {
    const orders = open();
    const id = await begin(orders);
    await orders.recordOutcome(`${id.slice(0, -4)}0000`, {
      kind: "unknown",
      venue,
      order: testBid(),
      error: lost,
    });
    assert.equal(troubles.length, 1);
    assert.deepEqual(
      orders.own.map(({ state }) => state),
      ["sending"],
    );
  });

  it("keep in plain words why a bid is unknown or was not sent, without network error names", async () => {
    const orders = open();
    const cases = [
      [
        new NoResponseError("placeBid", "connectionLost", "ECONNRESET: socket hang up"),
        /^the connection was lost/,
      ],
      [lost, /^the exchange did not respond in time$/],
      [
        new NotSentError("placeBid", "unreachable", "ECONNREFUSED: connect"),
        /^the exchange could not be reached$/,
      ],
      [new UnreadableResponseError("placeBid", "httpStatus", 502, "a web page"), /error page \(HTTP 502\)$/],
      [new RefusedError("placeBid", { code: 90, httpStatus: 200 }), /responded with error 90: Server error$/],
      [new TypeError("boom"), /^an error inside Bidside$/],
    ] as const;
    for (const [error, reason] of cases) {
      const id = await begin(orders);
      const kind = error instanceof NotSentError ? "notSent" : "unknown";
      await orders.recordOutcome(id, { kind, venue, order: testBid(), error });
      const event = orders.own.find(({ intent }) => intent.id === id)?.evidence[0];
      assert.ok(event?.kind === "outcome" && "reason" in event);
      assert.match(event.reason, reason);
      assert.doesNotMatch(event.reason, /E[A-Z]{4}|socket|placeBid/);
    }
  });
});
