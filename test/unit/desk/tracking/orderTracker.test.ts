import assert from "node:assert/strict";
import type { OrderReads } from "../../../../src/desk/tracking/orderReads.ts";
import type { OrderChange } from "../../../../src/desk/tracking/orderRecorder.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import { trackedOrders } from "../../../../src/desk/tracking/trackedOrders.ts";
import { NoResponseError, RefusedError, UnreadableResponseError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { hasEnded, isUnlisted } from "../../../../src/market/orders/knownOrder.ts";
import { acceptedOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FailingDisk } from "../../../support/fakes/failingDisk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, liveAccount } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const BTC = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };

describe("the order tracker", () => {
  let directory: string;
  beforeEach(() => (directory = temporaryFolder()));

  /** The exchange lists an open order. */
  const listedAsOpen = (clock: FakeTimers): OrderReads => ({
    openOrders: async () => ({
      orders: [testReport({ source: "list", status: "open", askedAt: clock.now() })],
      unreadable: [],
    }),
  });

  /** A tracker of one window. The exchange offers what `reads` has; an empty list has no open order. */
  async function begin({
    reads,
    visiblePairs = undefined,
    isMine = true,
    owns = true,
    clockOffset = 0,
    log = (message) => assert.fail(message),
    disk,
  }: {
    reads: (timers: FakeTimers) => OrderReads;
    visiblePairs?: readonly (typeof BTC)[] | undefined;
    isMine?: boolean;
    owns?: boolean;
    clockOffset?: number;
    log?: (message: string) => void;
    disk?: FailingDisk;
  }) {
    const timers = new FakeTimers();
    const client = new FakeClient();
    client.clock = { offset: clockOffset, at: timers.now() };
    const venue = await openVenue(client);
    let count = 0;
    const newId = (): string => `10000000-0000-4000-8000-00000000000${(count += 1)}`;
    const orders = openOrders(directory, timers, newId, disk?.os);
    if (owns) await acceptedOrder(orders, venueOf(venue), "7");
    else await orders.reread();
    const changes: OrderChange[] = [];
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: () => reads(timers),
      isMine: () => isMine,
      visiblePairs: () => visiblePairs,
      log,
    });
    tracker.onDidChange((change) => changes.push(change));
    afterTest(async () => {
      tracker.dispose();
      await orders.close();
    });
    return {
      timers,
      client,
      venue,
      orders,
      tracker,
      changes,
    };
  }

  const infoOf =
    (report: () => Partial<OrderReport>, asked: string[] = []) =>
    (timers: FakeTimers): OrderReads => ({
      orderInfo: async ({ orderId }) => {
        asked.push(orderId);
        return testReport({ orderId, ...report(), askedAt: timers.now() });
      },
    });

  it("tells that orders could not be read, a row or all, or too many, until they can be or another exchange is open", async () => {
    const whole = { orders: [], unreadable: [] };
    let answer: () => Promise<typeof whole> = async () => ({ orders: [], unreadable: ["#1"] as never[] });
    const { tracker, timers, venue } = await begin({
      reads: () => ({ openOrders: () => answer() }),
      visiblePairs: [BTC],
      log: () => undefined,
    });
    const reported: boolean[] = [];
    tracker.onDidChangeUnreadable(() => reported.push(tracker.hasUnreadable));
    await timers.advance(60_000);
    answer = async () => whole;
    await timers.advance(600_000);
    const expected = [true, false];
    for (const reason of ["shape", "contradictory", "tooLarge"] as const) {
      answer = () => Promise.reject(new UnreadableResponseError("openOrders", reason, 200, ""));
      await timers.advance(1_200_000);
      answer = async () => whole;
      await timers.advance(1_200_000);
      assert.deepEqual(reported, expected.concat(true, false), reason);
      reported.splice(2);
    }
    answer = async () => ({ orders: [], unreadable: ["#1"] as never[] });
    await timers.advance(1_200_000);
    assert.ok(tracker.hasUnreadable);
    await venue.select(liveAccount);
    assert.equal(tracker.hasUnreadable, false);
  });

  it("looks up an order that left the open orders, even after the clock was set back", async () => {
    const asked: string[] = [];
    const { timers } = await begin({
      reads: (clock) => ({
        ...infoOf(() => ({ status: "cancelled" }), asked)(clock),
        openOrders: async () => ({ orders: [], unreadable: [] }),
      }),
    });
    timers.sleep(-7_200_000);
    await timers.advance(600);
    assert.deepEqual(asked, ["7"]);
  });

  it("finds a match that the exchange dates by a clock two hours behind this computer's", async () => {
    const { timers, orders } = await begin({
      clockOffset: -7_200_000,
      reads: (clock) => ({
        orderHistory: async ({ from = 0 }) => {
          const at = clock.now() - 7_200_000;
          const row = testReport({
            status: undefined,
            fills: [testFill("a", "10", "100", at)],
            closedAt: at,
          });
          return { orders: from <= at ? [row] : [], unreadable: [] };
        },
      }),
    });
    await timers.advance(600);
    assert.deepEqual(
      orders.own.map(({ known }) => known?.fills.length),
      [1],
    );
  });

  it("reads the history from before an order that was sent between two steps back of the clock", async () => {
    const starts: number[] = [];
    const { timers, orders, client, venue } = await begin({
      clockOffset: -7_200_000,
      reads: () => ({
        orderHistory: async ({ from = 0 }) => {
          starts.push(from);
          return { orders: [], unreadable: [] };
        },
      }),
    });
    const sentAt = timers.now() - 7_200_000;
    const stepBack = (offset: number): void => {
      timers.sleep(-90_000);
      client.clock = { offset, at: timers.now() };
    };
    stepBack(-7_110_000);
    await acceptedOrder(orders, venueOf(venue), "8");
    stepBack(-7_020_000);
    await timers.advance(600_000);
    assert.ok(starts.length > 0 && starts.every((from) => from <= sentAt), starts.join());
  });

  it("fires once for each change, with each fill once", async () => {
    let reported: Partial<OrderReport> = { status: "open" };
    const { timers, changes } = await begin({ reads: infoOf(() => reported) });
    await timers.advance(20_000);
    assert.equal(changes.length, 1, "the order is open");
    reported = { status: "open", fills: [testFill("a", "4")] };
    await timers.advance(20_000);
    assert.equal(changes.length, 2);
    reported = { status: "filled", fills: [testFill("a", "4"), testFill("b", "6")] };
    await timers.advance(60_000);
    assert.equal(changes.length, 3);
    assert.deepEqual(
      changes.map(({ newFills }) => newFills.map(({ id }) => id)),
      [[], ["a"], ["b"]],
    );
    assert.deepEqual([changes[2]?.order.known.status, changes[2]?.order.name.orderId], ["filled", "7"]);
  });

  it("announces and shows a fill once that the disk does not take, and records it when it does", async () => {
    const disk = new FailingDisk();
    const reported = { status: "filled", fills: [testFill("a", "10")] } as const;
    const { timers, orders, changes } = await begin({ reads: infoOf(() => reported), disk });
    disk.fault = { call: "fsyncSync", code: "EIO" };
    await timers.advance(20_000);
    assert.equal(orders.own[0]?.known?.status, "filled");
    const recorded = async () => {
      const other = openOrders(directory, timers, () => assert.fail());
      await other.reread();
      await other.close();
      return other.own[0]?.known?.status;
    };
    assert.equal(await recorded(), "accepted", "another window");
    disk.fault = undefined;
    assert.equal(await orders.reread(), true);
    assert.equal(await recorded(), "filled");
    assert.equal(await orders.reread(), false);
    await timers.advance(20_000);
    assert.deepEqual(
      changes.map(({ newFills }) => newFills.map(({ id }) => id)),
      [["a"]],
    );
  });

  it("no longer polls an order that has ended", async () => {
    const asked: string[] = [];
    const { timers } = await begin({ reads: infoOf(() => ({ status: "cancelled" }), asked) });
    await timers.advance(300_000);
    assert.deepEqual(asked, ["7"]);
  });

  it("shows an order as not listed, not as ended, if it appears nowhere for a minute", async () => {
    const { timers, orders, changes } = await begin({
      reads: () => ({ openOrders: async () => ({ orders: [], unreadable: [] }) }),
    });
    await timers.advance(60_000);
    assert.equal(changes.length, 0);
    await timers.advance(15_000);
    assert.equal(changes.length, 1);
    const known = orders.own[0]?.known ?? assert.fail();
    assert.deepEqual([isUnlisted(known), hasEnded(known)], [true, false]);
  });

  it("keeps an order open while its info reports it as open, whatever the list contains", async () => {
    const { timers, orders, changes } = await begin({
      reads: (clock) => ({
        ...infoOf(() => ({ status: "open" }))(clock),
        openOrders: async () => ({ orders: [], unreadable: [] }),
      }),
    });
    await timers.advance(300_000);
    assert.deepEqual([changes.length, changes[0]?.order.known.status], [1, "open"]);
    assert.equal(isUnlisted(orders.own[0]?.known ?? assert.fail()), false);
  });

  for (const [by, isListed] of [
    ["the list", true],
    ["order-info", false],
  ] as const)
    it(`shows an order as open again once ${by} has it, follows its fills, and forgets it when it is cancelled`, async () => {
      let state: "outage" | "open" | "cancelled" = "outage";
      const fills = [testFill("a", "4")];
      const { timers, orders } = await begin({
        reads: (clock) => ({
          openOrders: async () => ({
            orders:
              state === "open" && isListed
                ? [testReport({ source: "list", status: "open", askedAt: clock.now() })]
                : [],
            unreadable: [],
          }),
          orderInfo: async () =>
            state === "outage" ? undefined : testReport({ status: state, fills, askedAt: clock.now() }),
        }),
      });
      const known = () => orders.own[0]?.known ?? assert.fail();
      await timers.advance(600_000);
      assert.equal(isUnlisted(known()), true);
      state = "open";
      await timers.advance(600_000);
      assert.deepEqual([isUnlisted(known()), known().status, known().fills.length], [false, "open", 1]);
      state = "cancelled";
      await timers.advance(60_000);
      assert.equal(known().status, "partlyFilledCancelled");
    });

  it("looks up an order that appears nowhere at growing intervals", async () => {
    const asked: number[] = [];
    const { timers } = await begin({
      reads: (clock) => ({
        openOrders: async () => ({ orders: [], unreadable: [] }),
        orderInfo: async () => {
          asked.push(clock.now());
          return undefined;
        },
      }),
    });
    await timers.advance(75_000);
    const [first] = asked.splice(0);
    await timers.advance(3_600_000);
    assert.ok(first && asked.length >= 8 && asked.length <= 45, `${asked.length} times in an hour`);
  });

  it("asks for the fills of a filled order until they can be read, also after a restart", async () => {
    let isDown = true;
    const fills = [testFill("a", "10")];
    const { timers, orders, tracker, venue, changes } = await begin({
      reads: (clock) => ({
        orderInfo: async () => {
          if (isDown) throw new NoResponseError("orderInfo", "timeout", "no answer");
          return testReport({ status: "filled", fills, askedAt: clock.now() });
        },
      }),
      log: () => undefined,
    });
    await tracker.record(venueOf(venue), [testReport({ status: "filled" })]);
    await timers.advance(8_000);
    isDown = false;
    await timers.advance(20_000);
    assert.deepEqual(
      changes.map(({ newFills }) => newFills.map(({ id }) => id)),
      [[], ["a"]],
    );
    assert.deepEqual(
      trackedOrders(orders, venueOf(venue), timers.now()),
      [],
      "another window, or this one after a restart, has nothing left to ask",
    );
  });

  it("reads the history for the fills of a listed order where no order info is offered", async () => {
    let left = "10";
    let reads = 0;
    const { timers, orders } = await begin({
      reads: (clock) => ({
        openOrders: async () => ({
          orders:
            left === "0"
              ? []
              : [
                  testReport({
                    source: "list",
                    status: "open",
                    quantity: new Decimal(left),
                    askedAt: clock.now(),
                  }),
                ],
          unreadable: [],
        }),
        orderHistory: async () => {
          reads += 1;
          const fills =
            left === "10" ? [] : [testFill("a", "4"), ...(left === "0" ? [testFill("b", "5.99999999")] : [])];
          return {
            orders:
              fills.length > 0
                ? [testReport({ rate: undefined, quantity: undefined, status: undefined, fills })]
                : [],
            unreadable: [],
          };
        },
      }),
    });
    const known = () => orders.own[0]?.known ?? assert.fail();
    await timers.advance(60_000);
    assert.ok(reads <= 3, `${reads} polls`);
    left = "6";
    await timers.advance(6_000);
    assert.deepEqual([known().fills.length, known().status], [1, "open"]);
    left = "0";
    await timers.advance(90_000);
    assert.equal(known().status, "filled");
  });

  it("announces each fill of an order once that the exchange continues under a new id", async () => {
    const fills = [testFill("a", "4")];
    const asked: string[] = [];
    const { timers, orders, changes } = await begin({
      reads: (clock) => ({
        openOrders: async () => ({
          orders: [
            testReport({
              source: "list",
              orderId: "9",
              otherIds: ["7"],
              status: "open",
              quantity: new Decimal("6"),
              askedAt: clock.now(),
            }),
          ],
          unreadable: [],
        }),
        orderInfo: async ({ orderId }) => {
          asked.push(orderId);
          return testReport({
            orderId,
            otherIds: ["7", "9"].filter((id) => id !== orderId),
            status: "open",
            fills,
            askedAt: clock.now(),
          });
        },
        orderHistory: async () => ({
          orders: ["7", "9"].map((orderId) => testReport({ orderId, status: undefined, fills })),
          unreadable: [],
        }),
      }),
    });
    await timers.advance(60_000);
    assert.deepEqual(new Set(asked), new Set(["9"]), "the id that the exchange has now");
    assert.deepEqual(
      changes.flatMap(({ newFills }) => newFills.map(({ id }) => id)),
      ["a"],
    );
    assert.deepEqual(new Set(changes.map(({ order }) => order.name.orderId)), new Set(["7"]));
    const { trades } = orders.trades?.all()[0] ?? assert.fail();
    assert.deepEqual(
      trades.map(({ quantity }) => quantity.toFixed()),
      ["4"],
    );
  });

  it("records a gone order after a minute also if the clock was set back by hours meanwhile", async () => {
    const { timers, changes } = await begin({
      reads: () => ({ openOrders: async () => ({ orders: [], unreadable: [] }) }),
    });
    await timers.advance(30_000);
    timers.sleep(-7_200_000);
    await timers.advance(25_000);
    assert.equal(changes.length, 0);
    await timers.advance(20_000);
    assert.equal(changes[0]?.order.known.status, "notListed");
  });

  it("reports a cancelled order as still open, even if the clock was set back by hours in the meantime", async () => {
    const { timers, orders, changes } = await begin({
      reads: listedAsOpen,
    });
    await timers.advance(12_000);
    const { name } = changes[0]?.order ?? assert.fail();
    await orders.recordCancel({ ...name, symbol: "THB_BTC", step: "unanswered" });
    timers.sleep(-7_200_000);
    await orders.recordCancel({ ...name, symbol: "THB_BTC", step: "accepted" });
    assert.equal(orders.get(name)?.cancel?.step, "accepted", "the newer record counts, not the later time");
    await timers.advance(60_000);
    assert.equal(orders.get(name)?.known?.cancel, "stillOpen");
  });

  for (const [whether, visiblePairs, seconds] of [
    ["while orders are visible", [BTC], 10],
    ["while no orders are visible", undefined, 30],
  ] as const)
    it(`reads the fills of an order whose row has none every ${seconds} s ${whether}`, async () => {
      const asked: string[] = [];
      const { timers } = await begin({
        visiblePairs,
        reads: (clock) => ({
          ...infoOf(() => ({ status: "open" }), asked)(clock),
          openOrders: async () => ({
            orders: [testReport({ source: "list", orderId: "7", status: "open", askedAt: clock.now() })],
            unreadable: [],
          }),
        }),
      });
      await timers.advance(600);
      await timers.advance(60_000);
      assert.equal(asked.length, 1 + 60 / seconds);
    });

  it("announces no fills from before it first saw an order of another program", async () => {
    let fills = [testFill("a", "4")];
    const { timers, changes } = await begin({
      owns: false,
      visiblePairs: [BTC],
      reads: (clock) => ({
        ...infoOf(() => ({ status: "open", fills }))(clock),
        openOrders: async () => ({
          orders: [testReport({ source: "list", status: "open", fills, askedAt: clock.now() })],
          unreadable: [],
        }),
      }),
    });
    await timers.advance(5_000);
    const newFills = (): string[] => changes.flatMap((change) => change.newFills.map(({ id }) => id));
    assert.deepEqual([changes.length > 0, newFills()], [true, []]);
    fills = [...fills, testFill("b", "2")];
    await timers.advance(30_000);
    assert.deepEqual(newFills(), ["b"]);
  });

  it("polls no pair without own open orders while no orders are visible", async () => {
    const asked: string[] = [];
    const { timers } = await begin({ owns: false, reads: infoOf(() => ({}), asked) });
    await timers.advance(300_000);
    assert.deepEqual(asked, []);
  });

  it("reads nothing in a window that does not read the account", async () => {
    const asked: string[] = [];
    const { timers } = await begin({
      isMine: false,
      visiblePairs: [BTC],
      reads: infoOf(() => ({}), asked),
    });
    await timers.advance(300_000);
    assert.deepEqual(asked, []);
  });

  it("no longer polls the list of a pair that the list does not support", async () => {
    let lists = 0;
    const asked: string[] = [];
    const { timers } = await begin({
      reads: (clock) => ({
        ...infoOf(() => ({ status: "open" }), asked)(clock),
        openOrders: async () => {
          lists += 1;
          throw new RefusedError("openOrders", { code: 61, httpStatus: 200 });
        },
      }),
    });
    await timers.advance(15_000);
    assert.deepEqual([lists, asked], [1, ["7", "7", "7"]]);
  });

  it("records once that an order is still open half a minute after its cancellation, for all windows", async () => {
    const { timers, orders, changes } = await begin({
      reads: listedAsOpen,
    });
    await timers.advance(12_000);
    const { name } = changes[0]?.order ?? assert.fail();
    const steps = (): unknown => orders.get(name)?.known?.cancel;
    await timers.advance(60_000);
    assert.equal(steps(), undefined, "nobody cancelled the order");
    await orders.recordCancel({ ...name, symbol: "THB_BTC", step: "accepted" });
    await timers.advance(28_000);
    assert.equal(steps(), "cancelling");
    await timers.advance(10_000);
    assert.equal(steps(), "stillOpen");
    const { lastAt } = orders.get(name) ?? assert.fail();
    await timers.advance(60_000);
    assert.equal(orders.get(name)?.lastAt, lastAt, "recorded once");
  });

  it("shows an order that was missing before its cancellation as ended once a later list lacks it, too", async () => {
    const { timers, orders } = await begin({
      reads: () => ({ openOrders: async () => ({ orders: [], unreadable: [] }) }),
    });
    await timers.advance(80_000);
    const { name, known } = orders.own[0] ?? assert.fail();
    assert.ok(name && known && isUnlisted(known));
    await orders.recordCancel({ ...name, symbol: "THB_BTC", step: "accepted" });
    const hasOrderEnded = (): boolean => hasEnded(orders.own[0]?.known ?? assert.fail());
    assert.equal(hasOrderEnded(), false);
    await timers.advance(60_000);
    assert.equal(hasOrderEnded(), true);
  });

  it("finds a fill in the history once order info has no path any more, and says so", async () => {
    let isGone = false;
    const fills = [testFill("a", "10")];
    const notFound = new RefusedError("orderInfo", { code: 404, httpStatus: 404 });
    const lost: unknown[] = [];
    const { timers, tracker, orders } = await begin({
      log: () => undefined,
      reads: (clock) => ({
        orderInfo: async () => {
          if (isGone) throw notFound;
          return testReport({ status: "open", askedAt: clock.now() });
        },
        openOrders: async () => ({
          orders: isGone ? [] : [testReport({ source: "list", status: "open", askedAt: clock.now() })],
          unreadable: [],
        }),
        orderHistory: async () => ({
          orders: isGone
            ? [testReport({ status: undefined, quantity: undefined, rate: undefined, fills })]
            : [],
          unreadable: [],
        }),
      }),
    });
    tracker.onDidLosePath((error) => lost.push(error));
    await timers.advance(20_000);
    isGone = true;
    await timers.advance(15_000);
    assert.equal(orders.own[0]?.known?.status, "filled");
    assert.deepEqual(lost, [notFound]);
  });

  it("polls nothing once it is disposed of", async () => {
    const asked: string[] = [];
    const { timers, tracker } = await begin({ reads: infoOf(() => ({ status: "open" }), asked) });
    tracker.dispose();
    await timers.advance(300_000);
    assert.deepEqual([asked, timers.nextIn], [[], undefined]);
  });
});
