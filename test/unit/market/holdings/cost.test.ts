import assert from "node:assert/strict";
import {
  averageCost,
  averageCostRate,
  compareTrades,
  costWithin,
  soldLots,
  type Trade,
  unrealisedResult,
} from "../../../../src/market/holdings/cost.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";

const decimal = (text: string): Decimal => new Decimal(text);

let count = 0;
function trade(side: "buy" | "sell", quantity: string, value: string, fee = "0", at = (count += 1)): Trade {
  return {
    id: String((count += 1)),
    at,
    side,
    quantity: decimal(quantity),
    value: decimal(value),
    fee: decimal(fee),
  };
}

/** Held, cost, realised result and quantity sold without cost, as text. */
function costOf(...[trades, opening]: Parameters<typeof averageCost>): string[] {
  const { held, cost, realised, soldWithoutCost } = averageCost(trades, opening);
  return [held, cost, realised, soldWithoutCost].map((each) => each.toFixed());
}

/** Quantity, proceeds and cost of each part of the sales. */
function lotsOf(...[trades, opening]: Parameters<typeof soldLots>): (string | undefined)[][] {
  return soldLots(trades, opening).map(({ quantity, proceeds, cost }) => [
    quantity.toFixed(),
    proceeds.toFixed(),
    cost?.toFixed(),
  ]);
}

describe("the average cost of an asset", () => {
  it("is zero without a trade", () => {
    assert.deepEqual(costOf([]), ["0", "0", "0", "0"]);
    assert.equal(averageCost([]).since, undefined);
    assert.equal(averageCostRate(averageCost([]), 2), undefined);
  });

  it("includes the fees of purchases", () => {
    const cost = averageCost([trade("buy", "2", "200", "0.5"), trade("buy", "2", "300", "0.75")]);
    assert.deepEqual([cost.held.toFixed(), cost.cost.toFixed()], ["4", "501.25"]);
    assert.equal(averageCostRate(cost, 2)?.toFixed(), "125.31");
    assert.equal(unrealisedResult(cost, decimal("130")).toFixed(), "18.75");
  });

  it("falls in proportion to a sale, whose result is its proceeds after fees minus that cost", () => {
    const trades = [trade("buy", "4", "400"), trade("sell", "1", "150", "1")];
    assert.deepEqual(costOf(trades), ["3", "300", "49", "0"]);
  });

  it("counts only for what is still held, and never for more than was bought", () => {
    const cost = averageCost([trade("buy", "3", "100")]);
    const within = (quantity: string): string[] => {
      const part = costWithin(cost, decimal(quantity));
      return [part.held, part.cost].map((each) => each.toFixed());
    };
    assert.deepEqual(within("1"), ["1", "33.333333333333"]);
    assert.deepEqual(within("3"), ["3", "100"]);
    assert.deepEqual(within("4"), ["3", "100"]);
    assert.deepEqual(within("0"), ["0", "0"]);
    assert.equal(costWithin(averageCost([]), decimal("2")).held.toFixed(), "0");
  });

  it("loses nothing to rounding: the last sale takes the remainder", () => {
    const buy = trade("buy", "3", "100");
    const [one, two, three] = [1, 2, 3].map(() => trade("sell", "1", "50"));
    assert.ok(one && two && three);
    assert.deepEqual(costOf([buy, one]), ["2", "66.666666666667", "16.666666666667", "0"]);
    assert.deepEqual(costOf([buy, one, two, three]), ["0", "0", "50", "0"]);
  });

  it("takes all of a cost to the last digit, however many decimals it has", () => {
    const exact = "100.00000000000000000001";
    const trades = [trade("buy", "3", exact), trade("sell", "3", "150.00000000000000000001")];
    assert.deepEqual(costOf(trades), ["0", "0", "50", "0"]);
    assert.deepEqual(lotsOf(trades), [["3", "150.00000000000000000001", exact]]);
  });

  it("excludes what was sold without a known purchase", () => {
    const trades = [trade("buy", "1", "100"), trade("sell", "4", "800", "8")];
    assert.deepEqual(costOf(trades), ["0", "0", "98", "3"]);
    assert.deepEqual(costOf([trade("sell", "4", "800", "8")]), ["0", "0", "0", "4"]);
  });

  it("counts a cost entered by hand as paid before all trades", () => {
    const opening = { quantity: decimal("3"), cost: decimal("300") };
    assert.deepEqual(costOf([trade("sell", "1", "150")], opening), ["2", "200", "50", "0"]);
  });

  it("follows fill numbers within one second, in which a sale may come first", () => {
    const trades = [
      { ...trade("buy", "1", "105", "0", 9000), txn: "10" },
      { ...trade("sell", "1", "110", "0", 9000), txn: "9" },
    ];
    assert.deepEqual(costOf([trade("buy", "1", "100", "0", 1), ...trades]), ["1", "105", "10", "0"]);
    assert.deepEqual(costOf(trades), ["1", "105", "0", "1"]);
  });

  it("follows the time of the trades, with purchases before sales of the same moment", () => {
    const [sell, buy] = [trade("sell", "1", "150", "0", 7000), trade("buy", "1", "100", "0", 7000)];
    assert.deepEqual(costOf([sell, buy]), ["0", "0", "50", "0"]);
    assert.deepEqual(costOf([buy, sell]), ["0", "0", "50", "0"]);
    const [late, early] = [trade("buy", "1", "900", "0", 9000), trade("buy", "1", "100", "0", 6000)];
    assert.deepEqual(costOf([late, sell, early]), ["1", "900", "50", "0"]);
    assert.equal(averageCost([late, sell, early]).since, 6000);
  });
});

describe("the order of trades of one moment", () => {
  const named = (id: string, side: "buy" | "sell", txn?: string): Trade => ({
    ...trade(side, "1", "1", "0", 7),
    id,
    ...(txn !== undefined && { txn }),
  });
  const orderOf = (...trades: readonly Trade[]): string =>
    trades
      .toSorted(compareTrades)
      .map(({ id }) => id)
      .join(" ");

  it("is that of the fill numbers, however long, and trades without a number come after all others", () => {
    const [nine, ten] = [named("nine", "buy", "9"), named("ten", "sell", "10")];
    const long = named("long", "buy", "900719925474099312");
    const longer = named("longer", "sell", "900719925474099313");
    const none = named("a", "buy");
    const words = named("b", "buy", "x12");
    const sorted = "nine ten long longer a b";
    assert.equal(orderOf(words, longer, none, long, ten, nine), sorted);
    assert.equal(orderOf(nine, ten, long, longer, none, words), sorted);
  });

  it("is purchases, then sales, then by id where fill numbers are equal or missing", () => {
    const trades = [named("d", "sell"), named("c", "sell"), named("b", "buy"), named("a", "buy")];
    assert.equal(orderOf(...trades), "a b c d");
    assert.equal(orderOf(named("s", "sell", "5"), named("t", "buy", "5"), named("r", "sell", "05")), "t r s");
  });
});

describe("sold lots", () => {
  it("come from the oldest purchase first", () => {
    const trades = [trade("buy", "2", "200"), trade("buy", "2", "400", "4"), trade("sell", "3", "900", "9")];
    assert.deepEqual(lotsOf(trades), [
      ["2", "594", "200"],
      ["1", "297", "202"],
    ]);
    assert.deepEqual(
      soldLots(trades).map(({ bought }) => bought),
      trades.slice(0, 2),
    );
  });

  it("come from purchases of the same moment in the order of their ids, and so do sales", () => {
    const at = (side: "buy" | "sell", id: string, value: string): Trade => ({
      ...trade(side, "1", value, "0", 5000),
      id,
    });
    const trades = [
      at("buy", "a", "100"),
      at("buy", "b", "200"),
      at("sell", "c", "300"),
      at("sell", "d", "400"),
    ];
    const lots = [
      ["1", "300", "100"],
      ["1", "400", "200"],
    ];
    assert.deepEqual(lotsOf(trades), lots);
    assert.deepEqual(lotsOf(trades.toReversed()), lots);
  });

  it("begin with the lot entered by hand", () => {
    const opening = { quantity: decimal("1"), cost: decimal("50") };
    assert.deepEqual(lotsOf([trade("buy", "2", "200"), trade("sell", "2", "300")], opening), [
      ["1", "150", "50"],
      ["1", "150", "100"],
    ]);
  });

  it("have no cost without a known purchase", () => {
    assert.deepEqual(lotsOf([trade("buy", "1", "100"), trade("sell", "3", "900")]), [
      ["1", "300", "100"],
      ["2", "600", undefined],
    ]);
  });

  it("take the remainder of a lot with its last part", () => {
    const sells = [1, 2, 3].map(() => trade("sell", "1", "50"));
    const costs = soldLots([trade("buy", "3", "100", "0", 0), ...sells]).map(({ cost }) => cost?.toFixed());
    assert.deepEqual(costs, ["33.333333333333", "33.333333333334", "33.333333333333"]);
  });
});
