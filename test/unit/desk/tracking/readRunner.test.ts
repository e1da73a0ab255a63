import assert from "node:assert/strict";
import fc from "fast-check";
import { RefusedError } from "../../../../src/exchange/errors.ts";
import { type FollowedOrder, type Read, readKey } from "../../../../src/desk/tracking/dueReads.ts";
import { ReadRunner } from "../../../../src/desk/tracking/readRunner.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

const START = 1_795_000_000_000;

function order(orderId: string, base: string, changes: Partial<FollowedOrder> = {}): FollowedOrder {
  const named = { symbol: `THB_${base}`, pair: { quote: "THB", base } };
  return {
    order: { ...named, orderId, side: "buy" },
    isOwn: true,
    isUnconfirmed: false,
    lacksFills: false,
    needs: "resting",
    since: START,
    ...changes,
  };
}

class Asked {
  readonly timers = new FakeTimers(START);
  readonly times = new Map<string, number[]>();
  readonly gone: unknown[] = [];
  readonly lines: string[] = [];
  isMine = true;
  readonly runner: ReadRunner;

  constructor(
    orders: readonly FollowedOrder[],
    answer: (key: string) => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.runner = new ReadRunner({
      timers: this.timers,
      orders: () => orders,
      sources: () => ({
        offered: { list: true, info: true, history: true },
        visiblePairs: [],
        searched: [],
        isStreamed: false,
      }),
      isMine: () => this.isMine,
      ask: (read: Read) => {
        const key = readKey(read);
        this.times.set(key, [...this.timesOf(key), this.timers.now() - START]);
        return answer(key);
      },
      onGone: (error) => this.gone.push(error),
      log: (line) => this.lines.push(line),
    });
    this.runner.plan();
  }

  timesOf(key: string): readonly number[] {
    return this.times.get(key) ?? [];
  }

  get all(): readonly number[] {
    return [...this.times.values()].flat().sort((one, other) => one - other);
  }
}

const refusal = (code: number, httpStatus = 200) => new RefusedError("orderInfo", { code, httpStatus });
const notFound = refusal(404, 404);

describe("the reads of orders", () => {
  it("send at most two requests a second, however many orders there are", async () => {
    const asked = new Asked(Array.from({ length: 30 }, (_, index) => order(String(index), `C${index}`)));
    await asked.timers.advance(60_000);
    assert.ok(asked.all.length > 100);
    assert.ok(asked.all.every((at, index) => index === 0 || at - (asked.all[index - 1] ?? 0) >= 500));
    asked.runner.dispose();
  });

  it("delay nothing else if one of them fails or hangs for ever", async () => {
    const orders = [order("1", "BTC"), order("2", "BTC"), order("3", "XRP")];
    const all = orders.flatMap(({ order: { symbol, orderId } }) => [
      `list ${symbol}`,
      `info ${symbol} buy ${orderId}`,
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...new Set(all)),
        fc.constantFrom("fails", "hangs", "is refused"),
        async (bad, how) => {
          const answers = {
            fails: () => Promise.reject(new Error("500")),
            hangs: () => new Promise<never>(() => undefined),
            "is refused": () => Promise.reject(notFound),
          };
          const asked = new Asked(orders, (key) => (key === bad ? answers[how]() : Promise.resolve()));
          await asked.timers.advance(300_000);
          for (const key of all) {
            if (key === bad) continue;
            const every = key.startsWith("list") ? 5_000 : 10_000;
            assert.ok(
              asked.timesOf(key).length >= (300_000 / every) * 0.8,
              `${key} beside ${bad}: ${asked.timesOf(key).length}`,
            );
          }
          assert.ok(asked.timesOf(bad).length <= 10, `${bad} is asked ever less often`);
          asked.runner.dispose();
        },
      ),
      { numRuns: 20 },
    );
  });

  it("use the history once the exchange has no order info any more, and say so", async () => {
    const asked = new Asked([order("1", "BTC"), order("2", "BTC")], (key) =>
      key.startsWith("info") ? Promise.reject(notFound) : Promise.resolve(),
    );
    await asked.timers.advance(60_000);
    assert.deepEqual(asked.gone, [notFound, notFound]);
    assert.ok(asked.timesOf("history THB_BTC").length >= 4);
    assert.equal(asked.timesOf("info THB_BTC buy 1").length, 1);
    assert.match(asked.lines[0] ?? "", /^info THB_BTC buy 1: /);
    asked.runner.dispose();
  });

  it("do not take a refused info for a missing one", async () => {
    const asked = new Asked([order("1", "BTC")], (key) =>
      key.startsWith("info") ? Promise.reject(refusal(3)) : Promise.resolve(),
    );
    await asked.timers.advance(60_000);
    assert.deepEqual(asked.gone, []);
    assert.ok(asked.timesOf("info THB_BTC buy 1").length > 1);
    asked.runner.dispose();
  });

  it("are repeated when a rate limit ends, also those that are rarely due", async () => {
    const endsAt = START + 31_000;
    const limit = new RefusedError("openOrders", { code: 30, httpStatus: 429, retryAt: endsAt });
    const missing = order("7", "BTC", { needs: "missing", since: START - 10_800_000 });
    const asked = new Asked([missing], () =>
      asked.timers.now() < endsAt ? Promise.reject(limit) : Promise.resolve(),
    );
    await asked.timers.advance(60_000);
    for (const key of ["list THB_BTC", "info THB_BTC buy 7"]) {
      const [, again = 0, ...more] = asked.timesOf(key);
      assert.ok(again >= 31_000 && again < 34_000, `${key}: ${again}`);
      assert.deepEqual(more, []);
    }
    asked.runner.dispose();
  });

  it("happen at once after a gap, of everything or of one pair", async () => {
    const asked = new Asked([order("1", "BTC"), order("2", "XRP")]);
    await asked.timers.advance(3_000);
    const before = asked.all.length;
    asked.runner.readNow({ symbol: "THB_XRP", pair: { quote: "THB", base: "XRP" } });
    await asked.timers.advance(1_000);
    assert.deepEqual(
      [...asked.times].filter(([, times]) => times.some((at) => at >= 3_000)).map(([key]) => key),
      ["list THB_XRP", "info THB_XRP buy 2"],
    );
    assert.equal(asked.all.length, before + 2);
    asked.runner.readNow();
    await asked.timers.advance(1_500);
    assert.equal(asked.all.length, before + 6);
    asked.runner.dispose();
  });

  it("stop while another window reads, and once they are no longer needed", async () => {
    const asked = new Asked([order("1", "BTC")]);
    asked.isMine = false;
    await asked.timers.advance(60_000);
    assert.deepEqual(asked.all, []);
    asked.isMine = true;
    asked.runner.plan();
    await asked.timers.advance(1_000);
    const count = asked.all.length;
    assert.ok(count > 0);
    asked.runner.dispose();
    asked.runner.plan();
    await asked.timers.advance(60_000);
    assert.equal(asked.all.length, count);
  });

  it("do not start more than four at a time", async () => {
    const asked = new Asked(
      Array.from({ length: 8 }, (_, index) => order(String(index), `C${index}`)),
      () => new Promise<never>(() => undefined),
    );
    await asked.timers.advance(60_000);
    assert.equal(asked.all.length, 4);
    asked.runner.dispose();
  });
});
