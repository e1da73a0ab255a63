import assert from "node:assert/strict";
import fc from "fast-check";
import { Reconciler, type Evidence, type UnknownBid } from "../../../src/desk/reconcile.ts";
import { Decimal } from "../../../src/market/decimal.ts";
import { FakeTimers } from "../../support/fakeTimers.ts";
import { walletOf } from "../../support/fakeVenue.ts";

/** Few amounts, so that chance makes them collide and add up to one another. */
const amount = fc.constantFrom(10, 20, 30, 50, 1000);
const quote = fc.constantFrom("THB", "USD");
const second = fc.integer({ min: 0, max: 140 });

const worlds = fc.record({
  /** `effectAfter`: when the exchange took the amount, in seconds after the bid was sent; undefined: it never saw the bid. */
  bids: fc.array(
    fc.record({ quote, amount, sent: second, effectAfter: fc.option(second, { nil: undefined }) }),
    { minLength: 1, maxLength: 4 },
  ),
  accepted: fc.array(fc.record({ quote, amount, at: second }), { maxLength: 2 }),
  /** Deposits below zero, withdrawals above. */
  unrelated: fc.array(
    fc.record({
      quote,
      at: second,
      amount: fc.oneof(
        amount,
        amount.map((value) => -value),
      ),
    }),
    { maxLength: 3 },
  ),
  failing: fc.oneof(fc.constant([false]), fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })),
  sleep: fc.option(fc.record({ at: second, seconds: fc.integer({ min: 1, max: 500 }) }), { nil: undefined }),
  restart: fc.option(second, { nil: undefined }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** Lives through a world, second by second. What the exchange saw is a ledger of whole numbers, told by true time. */
async function live(world: World) {
  const fake = new FakeTimers();
  const began = fake.now();
  let asleepMs = 0;
  const timers = { now: () => fake.now() + asleepMs, after: fake.after };
  const ledger = [...world.accepted, ...world.unrelated].map((each) => ({
    ...each,
    at: began + each.at * 1000,
  }));
  const available = (asset: string): string =>
    ledger
      .filter((each) => each.quote === asset && each.at <= timers.now())
      .reduce((sum, each) => sum - each.amount, 100_000)
      .toString();

  const open = new Map<string, UnknownBid>();
  const ends = new Map<string, { outcome: string; evidence: Evidence | undefined }>();
  let [reads, randomState] = [0, world.seed];
  const build = (): Reconciler =>
    new Reconciler({
      timers,
      random: () => (randomState = (randomState * 48_271) % 2_147_483_647) / 2_147_483_647,
      readWallet: async () => {
        if (world.failing[reads++ % world.failing.length]) throw new Error("offline");
        return walletOf({ THB: available("THB"), USD: available("USD") });
      },
      isMine: () => true,
      others: (bid) =>
        [
          ...world.accepted.filter((each) => each.quote === bid.quote),
          ...world.bids.filter((each, index) => each.quote === bid.quote && ends.has(`${index}`)),
        ].map((each) => new Decimal(each.amount.toString())),
      record: () => {},
      settle: (id, outcome, evidence) => {
        assert.ok(!ends.has(id), "settled twice");
        ends.set(id, { outcome, evidence });
        open.delete(id);
      },
    });
  let reconciler = build();
  for (let now = 0; now <= 300; now += 1) {
    if (now === world.sleep?.at) asleepMs = world.sleep.seconds * 1000;
    world.bids.forEach((each, index) => {
      if (each.sent !== now) return;
      open.set(`${index}`, {
        id: `${index}`,
        symbol: `${each.quote}_BTC`,
        quote: each.quote,
        base: "BTC",
        amount: each.amount.toString(),
        quantity: "1",
        availableBefore: available(each.quote),
        sentAt: timers.now(),
      });
      const { effectAfter } = each;
      if (effectAfter !== undefined) ledger.push({ ...each, at: timers.now() + effectAfter * 1000 });
      reconciler.watch([...open.values()]);
    });
    if (now === world.restart) {
      reconciler.dispose();
      reconciler = build();
      reconciler.watch([...open.values()]);
    }
    await fake.advance(1000);
  }
  reconciler.dispose();
  return { ends, reads };
}

describe("the reconciler, in any world", () => {
  it("settles each bid once, and calls placed none that the exchange never saw, but for a change that looks like it", async () => {
    const counts = { placed: 0, unresolved: 0, lookalike: 0 };
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { ends, reads } = await live(world);
        assert.equal(ends.size, world.bids.length);
        assert.ok(reads <= 4 * world.bids.length + 4);
        world.bids.forEach((bid, index) => {
          const { outcome, evidence } = ends.get(`${index}`) ?? assert.fail();
          assert.ok(outcome === "placed" || outcome === "unresolved");
          counts[outcome] += 1;
          if (bid.effectAfter !== undefined || outcome !== "placed") return;
          counts.lookalike += 1;
          assert.ok(world.unrelated.some((each) => each.quote === bid.quote));
          const fell = -Number(evidence?.difference);
          const others = evidence?.others.map(Number) ?? [];
          const sums = Array.from({ length: 2 ** others.length }, (_, mask) =>
            others.reduce((sum, value, place) => (mask & (1 << place) ? sum + value : sum), 0),
          );
          assert.ok(sums.some((sum) => fell === sum + bid.amount));
          assert.ok(!sums.includes(fell));
        });
      }),
      { numRuns: 300, seed: 77 },
    );
    assert.ok(counts.placed > 50 && counts.unresolved > 50 && counts.lookalike > 0, JSON.stringify(counts));
  }).timeout(60_000);

  it("finds every bid that was placed in time where nothing else moved the balance", async () => {
    await fc.assert(
      fc.asyncProperty(
        amount,
        fc.integer({ min: 1, max: 100 }),
        second,
        fc.integer({ min: 1 }),
        async (spent, effectAfter, sent, seed) => {
          const { ends } = await live({
            bids: [{ quote: "THB", amount: spent, sent, effectAfter }],
            accepted: [],
            unrelated: [],
            failing: [false],
            sleep: undefined,
            restart: undefined,
            seed: (seed % 1_000_000) + 1,
          });
          assert.equal(ends.get("0")?.outcome, "placed");
          assert.equal(ends.get("0")?.evidence?.difference, `-${spent}`);
        },
      ),
      { numRuns: 40 },
    );
  }).timeout(30_000);
});
