import assert from "node:assert/strict";
import { Canceller, type CancelQuestion } from "../../../../src/desk/tracking/canceller.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import { NoResponseError, RefusedError } from "../../../../src/exchange/errors.ts";
import type { CancelResponse } from "../../../../src/exchange/capabilities.ts";
import { Orders } from "../../../../src/desk/orders/orders.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { hasEnded, type KnownOrder } from "../../../../src/market/orders/knownOrder.ts";
import type { OrderName } from "../../../../src/market/order.ts";
import type { Pair } from "../../../../src/market/pair.ts";
import type { CancelRecord } from "../../../../src/storage/orders/placedOrderRecords.ts";
import { acceptedOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testKnown, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, liveAccount } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const SECOND = 1000;

describe("a cancellation", () => {
  /** One accepted order, a person who answers `yes`, and an exchange that answers a cancellation with `send`. */
  async function begin({
    yes = true,
    send = () => Promise.resolve<CancelResponse>("accepted"),
    info = () => ({ status: "open" as const }),
    question = () => Promise.resolve(),
    isOffered = true,
    mayGo = (mayStillSend) => assert.equal(mayStillSend(), true),
  }: {
    yes?: boolean;
    send?: () => Promise<CancelResponse>;
    info?: () => Partial<OrderReport>;
    question?: () => Promise<void>;
    isOffered?: boolean;
    /** Called before the request, with the check right before its first byte. */
    mayGo?: (mayStillSend: () => boolean) => void;
  } = {}) {
    const timers = new FakeTimers();
    const client = new FakeClient();
    const venue = await openVenue(client);
    const orders = openOrders(temporaryFolder(), timers, () => "10000000-0000-4000-8000-000000000001");
    await acceptedOrder(orders, venueOf(venue), "7");
    const own = () => orders.own[0] ?? assert.fail();
    const name = own().name ?? assert.fail();
    const known = () => own().known ?? assert.fail();
    const questions: CancelQuestion[] = [];
    const sent: string[] = [];
    /** What happened, in order. */
    const steps: string[] = [];
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: () => ({ orderInfo: async () => testReport({ ...info(), askedAt: timers.now() }) }),
      isMine: () => true,
      visiblePairs: () => undefined,
      log: (message) => assert.fail(message),
    });
    if (isOffered)
      client.capabilities = {
        cancelOrder: async (order, mayStillSend = () => assert.fail("always checked")) => {
          assert.equal(orders.get(name)?.cancel?.step, "requested", "on the disk before the request");
          mayGo(mayStillSend);
          steps.push("sent");
          sent.push(order.orderId);
          return await send();
        },
      };
    const canceller = new Canceller({
      orders,
      venue,
      now: timers.now,
      checkWake: () => steps.push("woke?"),
      isFrozen: ({ base }) => base === "ETH",
      confirm: async (asked) => {
        steps.push("asked");
        questions.push(asked);
        await question();
        return yes;
      },
      check: (named) => {
        steps.push("checked");
        tracker.readNow(named);
      },
    });
    afterTest(async () => {
      tracker.dispose();
      await orders.close();
    });
    return {
      timers,
      venue,
      orders,
      known,
      questions,
      sent,
      steps,
      order: () => orders.get(name),
      cancel: (of: Partial<OrderName> = {}) =>
        canceller.cancel([{ name: { ...name, ...of }, known: known() }]),
      /** Cancels the order, and one of another pair. */
      cancelBoth: (pair: Pair, of: Partial<OrderName> = {}) =>
        canceller.cancel([
          { name, known: known() },
          { name: { ...name, ...pair, orderId: "9", ...of }, known: { ...known(), pair } },
        ]),
      cancelNothing: () => canceller.cancel([]),
    };
  }

  it("is sent after one question and a record, and the answer alone ends nothing", async () => {
    const desk = await begin();
    assert.deepEqual(await desk.cancel(), { kind: "sent", steps: ["accepted"] });
    assert.deepEqual([desk.questions.length, desk.sent], [1, ["7"]]);
    assert.equal(desk.order()?.cancel?.step, "accepted");
    await desk.timers.advance(0);
    assert.equal(desk.known().status, "open");
    assert.equal(desk.known().cancel, "cancelling");
  });

  it("asks nothing without an order, without an exchange, and where the exchange cannot cancel", async () => {
    for (const [kind, isOffered] of [
      ["noVenue", true],
      ["notOffered", false],
    ] as const) {
      const desk = await begin({ isOffered });
      if (isOffered) {
        assert.deepEqual(await desk.cancelNothing(), { kind: "declined" });
        const selected = desk.venue.select(liveAccount);
        assert.deepEqual(await desk.cancel(), { kind });
        await selected;
      } else assert.deepEqual(await desk.cancel(), { kind });
      assert.deepEqual(desk.steps, []);
    }
  });

  it("checks for a sleep after the confirmation and right before the request", async () => {
    const desk = await begin();
    await desk.cancel();
    assert.deepEqual(desk.steps, ["asked", "woke?", "woke?", "sent", "checked"]);
  });

  it("is sent within a minute after the question, and never if the clock was set back", async () => {
    const moments: [ms: number, mayGo: boolean][] = [];
    const desk = await begin({
      mayGo: (mayStillSend) => {
        const { now } = desk.timers;
        const clicked = now();
        for (const ms of [0, 60 * SECOND, 60 * SECOND + 1, -1]) {
          desk.timers.sleep(clicked + ms - now());
          moments.push([ms, mayStillSend()]);
        }
        desk.timers.sleep(clicked - now());
      },
    });
    await desk.cancel();
    assert.deepEqual(moments, [
      [0, true],
      [60 * SECOND, true],
      [60 * SECOND + 1, false],
      [-1, false],
    ]);
  });

  it("sends nothing if it cannot be recorded", async () => {
    const client = new FakeClient();
    client.capabilities = { cancelOrder: () => assert.fail("sent") };
    const venue = await openVenue(client);
    const { now } = new FakeTimers();
    const error = new Error("The disk is full.");
    const orders = new Orders({
      open: () => Promise.reject(error),
      newId: () => assert.fail(),
      now,
      onError: () => undefined,
    });
    const canceller = new Canceller({
      orders,
      venue,
      now,
      checkWake: () => undefined,
      isFrozen: () => false,
      confirm: () => Promise.resolve(true),
      check: () => assert.fail("nothing to look at"),
    });
    const { ref } = venueOf(venue);
    const known = testKnown([{}]);
    const { pair, side, orderId } = known;
    const name = { ...ref, ...pair, side, orderId };
    assert.deepEqual(await canceller.cancel([{ name, known }]), { kind: "notRecorded", error });
  });

  it("sends nothing without a yes", async () => {
    const desk = await begin({ yes: false });
    assert.deepEqual(await desk.cancel(), { kind: "declined" });
    assert.deepEqual([desk.sent, desk.order()?.cancel], [[], undefined]);
  });

  it("sends nothing to another exchange that was opened during the question", async () => {
    const desk = await begin({
      question: async () => {
        await desk.venue.select(liveAccount);
      },
    });
    assert.deepEqual(await desk.cancel(), { kind: "venueChanged" });
    assert.deepEqual(desk.sent, []);
  });

  it("sends nothing for an order of another account", async () => {
    const desk = await begin();
    assert.deepEqual(await desk.cancel({ venue: "live", account: "0123456789abcdef" }), {
      kind: "otherAccount",
    });
    assert.deepEqual([desk.questions, desk.sent, desk.order()?.cancel], [[], [], undefined]);
  });

  it("sends nothing if one of several orders is another account's", async () => {
    const desk = await begin();
    const of = { venue: "live", account: "0123456789abcdef" } as const;
    assert.deepEqual(await desk.cancelBoth({ quote: "THB", base: "ETH" }, of), { kind: "otherAccount" });
    assert.deepEqual([desk.questions, desk.sent, desk.order()?.cancel], [[], [], undefined]);
  });

  it("may not be sent once another account was opened", async () => {
    const allowed: boolean[] = [];
    const desk = await begin({
      mayGo: (mayStillSend) => {
        allowed.push(mayStillSend());
        void desk.venue.select(liveAccount);
        allowed.push(mayStillSend());
      },
    });
    await desk.cancel();
    assert.deepEqual(allowed, [true, false]);
  });

  it("says that trading is halted if it is for any of several pairs", async () => {
    const desk = await begin({ yes: false });
    await desk.cancelBoth({ quote: "THB", base: "ETH" });
    await desk.cancelBoth({ quote: "THB", base: "ZIL" });
    assert.deepEqual(
      desk.questions.map(({ isFrozen }) => isFrozen),
      [true, false],
    );
  });

  it("names the newest id of an order that the exchange continued", async () => {
    const desk = await begin();
    await desk.orders.recordReports(
      [testReport({ orderId: "8", otherIds: ["7"], status: "open" })],
      venueOf(desk.venue),
    );
    await desk.cancel();
    assert.deepEqual(desk.sent, ["8"]);
  });

  for (const [which, how] of [
    ["the order", "cancel"],
    ["one of several orders", "cancelBoth"],
  ] as const)
    it(`asks again if the exchange continued ${which} under a new id during the question`, async () => {
      let asked = 0;
      const desk = await begin({
        question: async () => {
          if (asked++ > 0) return;
          const continued = testReport({ orderId: "8", otherIds: ["7"], status: "open" });
          await desk.orders.recordReports([continued], venueOf(desk.venue));
        },
      });
      await (how === "cancel" ? desk.cancel() : desk.cancelBoth({ quote: "THB", base: "ZIL" }));
      assert.deepEqual(
        desk.questions.map(({ targets: [first] }) => first?.known.orderId),
        ["7", "8"],
      );
      assert.equal(desk.sent[0], "8");
    });

  it("sends nothing for an order that was filled during the question", async () => {
    const desk = await begin({
      question: async () => {
        const filled = testReport({ status: "filled", fills: [testFill("1", "10")] });
        await desk.orders.recordReports([filled], venueOf(desk.venue));
      },
    });
    assert.deepEqual(await desk.cancel(), { kind: "sent", steps: [] });
    assert.deepEqual([desk.sent, desk.known().status], [[], "filled"]);
  });

  it("that lost the race with a fill ends as filled, whatever the response was", async () => {
    for (const answer of ["unknownOrder", "accepted"] as const) {
      const desk = await begin({
        send: () => Promise.resolve(answer),
        info: () => ({ status: "filled", fills: [testFill("1", "10")] }),
      });
      await desk.cancel();
      await desk.timers.advance(0);
      assert.equal(desk.known().status, "filled");
      assert.equal(desk.known().cancel, undefined);
    }
  });

  it("that won against the rest of a fill ends as partly filled", async () => {
    const info = () => ({ status: "cancelled" as const, fills: [testFill("1", "4")] });
    const desk = await begin({ info });
    await desk.cancel();
    await desk.timers.advance(0);
    assert.equal(desk.known().status, "partlyFilledCancelled");
  });

  it("is unanswered without a response, and rejected if the exchange proves that nothing happened; both record the reason", async () => {
    const steps: (Pick<CancelRecord, "step" | "reason"> | undefined)[] = [];
    const states: KnownOrder["cancel"][] = [];
    for (const send of [
      () => Promise.reject(new NoResponseError("cancelOrder", "timeout", "10 s")),
      () => Promise.reject(new RefusedError("cancelOrder", { code: 3, httpStatus: 200 })),
      () => Promise.reject(new TypeError("a fault")),
      () => Promise.resolve("unknownOrder" as const),
      () => Promise.resolve("accepted" as const),
    ]) {
      const desk = await begin({ send });
      await desk.cancel();
      const { step, reason } = desk.order()?.cancel ?? assert.fail();
      steps.push(reason === undefined ? { step } : { step, reason });
      states.push(desk.known().cancel);
    }
    assert.deepEqual(steps, [
      { step: "unanswered", reason: "the exchange did not respond in time" },
      { step: "rejected", reason: "the exchange responded with error 3: Invalid API key" },
      { step: "unanswered", reason: "an error inside Bidside" },
      { step: "notOpen" },
      { step: "accepted" },
    ]);
    assert.deepEqual(states, ["cancelling", undefined, "cancelling", undefined, "cancelling"]);
  });

  it("ends an order that a later list lacks after it was taken, until two lists show it open", async () => {
    for (const [send, isEnd] of [
      [() => Promise.resolve("accepted" as const), true],
      [() => Promise.resolve("unknownOrder" as const), true],
      [() => Promise.reject(new NoResponseError("cancelOrder", "timeout", "10 s")), false],
    ] as const) {
      const desk = await begin({ send, info: () => ({}) });
      const { orders, venue, timers } = desk;
      const isMissing = (): Promise<void> =>
        orders.recordAbsences([desk.known()], timers.now(), venueOf(venue));
      await isMissing();
      await desk.cancel();
      assert.equal(hasEnded(desk.known()), false, "it was missing before");
      await timers.advance(29 * SECOND);
      await isMissing();
      assert.equal(hasEnded(desk.known()), false, "the exchange may still cancel");
      await timers.advance(SECOND);
      await isMissing();
      assert.deepEqual(
        [hasEnded(desk.known()), desk.known().cancel],
        [isEnd, isEnd ? undefined : "cancelling"],
      );
      timers.sleep(-7_200_000);
      for (const isAgain of [false, true]) {
        const open = testReport({ source: "list", status: "open", askedAt: timers.now() });
        await orders.recordReports([open], venueOf(venue));
        assert.equal(hasEnded(desk.known()), isEnd && !isAgain);
        await timers.advance(3 * SECOND);
      }
      assert.equal(desk.known().status, "open");
    }
  });
});
