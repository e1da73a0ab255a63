import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cancelStateOf, Canceller, type CancelQuestion } from "../../../../src/desk/life/canceller.ts";
import { OrderTracker } from "../../../../src/desk/life/orderTracker.ts";
import { knownOf, nameOf } from "../../../../src/desk/life/ownOrder.ts";
import { NoAnswerError, RefusedError } from "../../../../src/exchange/errors.ts";
import type { CancelAnswer } from "../../../../src/exchange/capabilities.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import type { CancelRecord } from "../../../../src/storage/orders/lifeRecords.ts";
import { acceptedOrder, openOrders, venueOf } from "../../../support/builders/lifeDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";

const SECOND = 1000;

describe("a cancellation", () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "bidside-canceller-"))));
  afterEach(() => rmSync(directory, { recursive: true }));

  /** One accepted order, a person who answers `yes`, and an exchange that answers a cancellation with `send`. */
  async function begin({
    yes = true,
    send = () => Promise.resolve<CancelAnswer>("accepted"),
    info = () => ({ status: "open" as const }),
    question = () => Promise.resolve(),
  }: {
    yes?: boolean;
    send?: () => Promise<CancelAnswer>;
    info?: () => Partial<OrderReport>;
    question?: () => Promise<void>;
  } = {}) {
    const timers = new FakeTimers();
    const venue = await openVenue(new FakeClient());
    const orders = openOrders(directory, timers, () => "10000000-0000-4000-8000-000000000001");
    await acceptedOrder(orders, venueOf(venue), "7");
    const own = () => orders.all[0] ?? assert.fail();
    const name = nameOf(own()) ?? assert.fail();
    const known = () => knownOf(own(), orders.lives) ?? assert.fail();
    const questions: CancelQuestion[] = [];
    const sent: string[] = [];
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: () => ({ orderInfo: async () => testReport({ ...info(), askedAt: timers.now() }) }),
      isMine: () => true,
      watched: () => undefined,
      afterFill: () => undefined,
      log: (message) => assert.fail(message),
    });
    const canceller = new Canceller({
      orders,
      venue,
      now: timers.now,
      checkWake: () => undefined,
      isFrozen: () => Promise.resolve(false),
      cancelOf: () => async (order, mayStillGo) => {
        assert.equal(orders.lives?.get(name)?.cancel?.step, "asked", "on the disk before the request");
        assert.equal(mayStillGo?.(), true);
        sent.push(order.orderId);
        return await send();
      },
      confirm: async (asked) => {
        questions.push(asked);
        await question();
        return yes;
      },
      check: (named) => tracker.check(named),
    });
    return {
      timers,
      venue,
      orders,
      known,
      questions,
      sent,
      target: { name, known: known() },
      life: () => orders.lives?.get(name),
      cancel: () => canceller.cancel([{ name, known: known() }]),
      async close() {
        tracker.dispose();
        await orders.close();
      },
    };
  }

  it("is sent after one question and a record, and the answer alone ends nothing", async () => {
    const desk = await begin();
    assert.deepEqual(await desk.cancel(), { kind: "asked", steps: ["taken"] });
    assert.deepEqual([desk.questions.length, desk.sent], [1, ["7"]]);
    assert.equal(desk.life()?.cancel?.step, "taken");
    assert.equal(desk.known().status, "open");
    assert.equal(cancelStateOf(desk.life(), undefined), "cancelling");
    await desk.close();
  });

  it("sends nothing without a yes", async () => {
    const desk = await begin({ yes: false });
    assert.deepEqual(await desk.cancel(), { kind: "declined" });
    assert.deepEqual([desk.sent, desk.life()?.cancel], [[], undefined]);
    await desk.close();
  });

  it("sends nothing to another exchange that was opened during the question", async () => {
    const desk = await begin({
      question: async () => {
        await desk.venue.select("live");
      },
    });
    assert.deepEqual(await desk.cancel(), { kind: "venueChanged" });
    assert.deepEqual(desk.sent, []);
    await desk.close();
  });

  it("sends nothing for an order that was filled during the question", async () => {
    const desk = await begin({
      question: async () => {
        const filled = testReport({ status: "filled", fills: [testFill("1", "10")] });
        await desk.orders.recordReports([filled], venueOf(desk.venue));
      },
    });
    assert.deepEqual(await desk.cancel(), { kind: "asked", steps: [] });
    assert.deepEqual([desk.sent, desk.known().status], [[], "filled"]);
    await desk.close();
  });

  it("that lost the race with a fill ends as filled, whatever was answered", async () => {
    for (const answer of ["unknownOrder", "accepted"] as const) {
      const desk = await begin({
        send: () => Promise.resolve(answer),
        info: () => ({ status: "filled", fills: [testFill("1", "10")] }),
      });
      await desk.cancel();
      assert.equal(desk.known().status, "filled");
      assert.equal(cancelStateOf(desk.life(), undefined), undefined);
      await desk.close();
      rmSync(directory, { recursive: true });
    }
    directory = mkdtempSync(join(tmpdir(), "bidside-canceller-"));
  });

  it("that won against the rest of a fill ends as partly filled", async () => {
    const info = () => ({ status: "cancelled" as const, fills: [testFill("1", "4")] });
    const desk = await begin({ info });
    await desk.cancel();
    assert.equal(desk.known().status, "partlyFilledCancelled");
    await desk.close();
  });

  it("is unanswered without an answer, and refused if the exchange proves that nothing happened", async () => {
    const steps: (CancelRecord["step"] | undefined)[] = [];
    for (const error of [
      new NoAnswerError("cancelOrder", "timeout", "10 s"),
      new RefusedError("cancelOrder", { code: 3, httpStatus: 200 }),
    ]) {
      const desk = await begin({ send: () => Promise.reject(error) });
      await desk.cancel();
      steps.push(desk.life()?.cancel?.step);
      await desk.close();
      rmSync(directory, { recursive: true });
    }
    directory = mkdtempSync(join(tmpdir(), "bidside-canceller-"));
    assert.deepEqual(steps, ["unanswered", "refused"]);
  });

  it("is over if the exchange lists the order as open half a minute later", async () => {
    const desk = await begin();
    await desk.cancel();
    const at = desk.life()?.cancel?.at ?? assert.fail();
    assert.equal(cancelStateOf(desk.life(), at + 30 * SECOND), "cancelling");
    assert.equal(cancelStateOf(desk.life(), at + 30 * SECOND + 1), "stillOpen");
    await desk.close();
  });
});
