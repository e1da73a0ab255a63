import assert from "node:assert/strict";
import {
  historyFrom,
  readHistory,
  searchFrom,
  withOrderedAmounts,
} from "../../../../src/desk/tracking/orderReads.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { testReport } from "../../../support/builders/reports.ts";

const MINUTE = 60_000;
const PLACED = 1_795_000_000_000;
const named = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };

describe("the time from which a history is read", () => {
  const from = (offset: number | undefined, now = PLACED): number =>
    historyFrom(PLACED, offset === undefined ? undefined : { offset, at: now }, now);

  it("is a minute before the order, by an exact clock and by one that is behind the exchange's", () => {
    assert.equal(from(0), PLACED - MINUTE);
    assert.equal(from(60 * MINUTE, PLACED + 1), PLACED - MINUTE);
  });

  it("is as much earlier as this computer's clock is ahead of the exchange's", () => {
    assert.equal(from(-60 * MINUTE), PLACED - 61 * MINUTE);
  });

  it("is the beginning with an unknown clock, and with one that was set back after the order", () => {
    assert.deepEqual([from(undefined), from(0, PLACED - 1), from(-PLACED)], [0, 0, 0]);
  });
});

describe("the time from which a history is searched for an unanswered order", () => {
  const from = (exchangeAt: number | undefined, offset: number, now = PLACED + MINUTE): number =>
    searchFrom({ at: PLACED, exchangeAt }, { offset, at: now }, now);

  it("is a minute before the order by the exchange's clock, also after this computer's clock was set back", () => {
    assert.equal(from(PLACED - 5 * MINUTE, -5 * MINUTE), PLACED - 6 * MINUTE);
    assert.equal(from(PLACED - 5 * MINUTE, -2 * MINUTE), PLACED - 6 * MINUTE);
  });

  it("is earlier if the current clock offset requires it, because the one before the order may have been wrong", () => {
    assert.equal(from(PLACED, -5 * MINUTE), PLACED - 6 * MINUTE);
  });

  it("is the beginning if the exchange's clock was not known then", () => {
    assert.deepEqual([from(undefined, 0), from(5, 0)], [0, 0]);
  });
});

describe("a history of pages", () => {
  const page = (orderId: string, next?: { page: number }, unreadable: readonly string[] = []) => ({
    orders: [testReport({ orderId })],
    unreadable,
    ...(next && { next }),
  });

  it("is read with what known orders of the pair may spend", async () => {
    const asked: unknown[] = [];
    const reads = withOrderedAmounts(
      {
        orderHistory: (query) => {
          asked.push(query.from, query.orderedOf?.("7")?.toFixed());
          return Promise.resolve({ orders: [], unreadable: [] });
        },
      },
      ({ base }, id) => new Decimal(base === "BTC" && id === "7" ? "1000" : "1"),
    );
    await readHistory(reads, named, 5);
    assert.deepEqual(asked, [5, "1000"]);
    assert.equal(withOrderedAmounts({}, () => undefined).orderHistory, undefined);
  });

  it("is not read where none is offered", async () => {
    assert.equal(await readHistory({}, named, 0), undefined);
  });

  it("has the orders of all pages, and is incomplete if a row was skipped", async () => {
    const asked: unknown[] = [];
    const pagesOf = (unreadable: readonly string[]) =>
      readHistory(
        {
          orderHistory: async ({ from, position }) => {
            asked.push([from, position?.page]);
            return position ? page("8") : page("7", { page: 2 }, unreadable);
          },
        },
        named,
        5,
      );
    const [whole, partial] = [await pagesOf([]), await pagesOf(["#1"])];
    assert.deepEqual(
      whole?.orders.map(({ orderId }) => orderId),
      ["7", "8"],
    );
    assert.deepEqual([whole?.isWhole, partial?.isWhole], [true, false]);
    assert.deepEqual(asked.slice(0, 2), [
      [5, undefined],
      [5, 2],
    ]);
  });

  it("stops after 20 pages, and is then incomplete", async () => {
    const read = await readHistory({ orderHistory: async () => page("7", { page: 2 }) }, named, 0);
    assert.deepEqual([read?.orders.length, read?.isWhole], [20, false]);
  });
});
