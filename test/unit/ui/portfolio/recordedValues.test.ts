import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { totalValue, type ValueSnapshot } from "../../../../src/market/holdings/valueSnapshot.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { RecordedValues } = await loadUi(() => import("../../../../src/ui/portfolio/recordedValues.ts"));

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1, 12);

const snapshot = (day: number, quote = "THB"): ValueSnapshot => ({
  at: START + day * DAY_MS,
  account: "practice",
  quote,
  balances: [{ asset: quote, quantity: new Decimal("5"), price: new Decimal("1") }],
  elsewhere: [],
});

describe("the recorded values of the Portfolio page", () => {
  /** Parts of the records, which the test may change, and the values read of them. */
  function recordsOf(...parts: ValueSnapshot[][]) {
    const errors: string[] = [];
    let reads = 0;
    let finished = 0;
    const values = {
      trades: () => [],
      *parts() {
        reads += 1;
        yield* parts;
      },
    };
    const desk = {
      values,
      venue: { account: { id: "practice" } },
      log: { error: (text: string) => errors.push(text) },
    };
    const recorded = new RecordedValues(desk as never, () => (finished += 1));
    const read = async (quote = "THB"): Promise<readonly number[] | undefined> => {
      const before = finished;
      recorded.get(0, quote);
      await waitFor("the read", () => finished > before);
      return recorded.get(0, quote)?.snapshots.map(({ at }) => (at - START) / DAY_MS);
    };
    return { parts, recorded, read, errors, counts: () => ({ reads, finished }) };
  }

  it("are read in parts, in the shown asset, with their days", async () => {
    const { recorded, read } = recordsOf([snapshot(0), snapshot(1, "USDT")], [snapshot(40)]);
    assert.deepEqual(await read(), [0, 40]);
    assert.equal(recorded.get(0, "THB")?.days.length, 2);
  });

  it("that were recorded in another asset are converted by their own price, or named and left out", async () => {
    const withPrice: ValueSnapshot = {
      ...snapshot(1, "USDT"),
      balances: [
        { asset: "USDT", quantity: new Decimal("3"), price: new Decimal("1") },
        { asset: "THB", quantity: new Decimal("50"), price: new Decimal("0.025") },
      ],
    };
    const { recorded, read } = recordsOf([snapshot(0, "USDT"), withPrice, snapshot(2)]);
    assert.deepEqual(await read(), [1, 2]);
    const { snapshots = [], leftOut } = recorded.get(0, "THB") ?? {};
    assert.deepEqual(
      snapshots.map((each) => totalValue(each).toString()),
      ["170", "5"],
    );
    assert.deepEqual(leftOut, { quotes: ["USDT"], until: START });
  });

  it("of an hour that was recorded in two assets are shown once", async () => {
    const usdt = { asset: "USDT", quantity: new Decimal("1"), price: new Decimal("40") };
    const inUsdt = { ...snapshot(0), quote: "USDT" };
    const inBaht = { ...snapshot(0), balances: [...snapshot(0).balances, usdt], at: START + 1 };
    const { recorded, read } = recordsOf([inUsdt, inBaht]);
    await read();
    assert.deepEqual(recorded.get(0, "THB")?.snapshots, [inBaht]);
  });

  it("are read once, and stay on the page while newer ones are read", async () => {
    const { parts, recorded, read, counts } = recordsOf([snapshot(0)]);
    await read();
    recorded.get(0, "THB");
    assert.equal(counts().reads, 1);
    parts.push([snapshot(40)]);
    recorded.outdate();
    assert.equal(recorded.get(0, "THB")?.snapshots.length, 1);
    await waitFor("the newer ones", () => recorded.get(0, "THB")?.snapshots.length === 2);
    assert.equal(counts().reads, 2);
  });

  it("of an account that was left are not shown for the next one", async () => {
    const { recorded, counts } = recordsOf([snapshot(0)]);
    recorded.get(0, "THB");
    recorded.outdate();
    await waitFor("the next read", () => recorded.get(0, "THB") !== undefined);
    assert.deepEqual(counts(), { reads: 1, finished: 1 });
  });

  it("of a range that was left are not read to the end", async () => {
    const { recorded, read, counts } = recordsOf([snapshot(0)], [snapshot(40)]);
    recorded.get(1, "THB");
    assert.deepEqual(await read(), [0, 40]);
    assert.equal(counts().finished, 1);
    assert.equal(recorded.get(1, "THB"), undefined);
  });
});
