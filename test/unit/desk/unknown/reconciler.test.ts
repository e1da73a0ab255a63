import assert from "node:assert/strict";
import { balanceEvidence, type Evidence } from "../../../../src/desk/unknown/evidence.ts";
import { Reconciler, type ReconcilerOptions } from "../../../../src/desk/unknown/reconciler.ts";
import { freeOf, type Wallet } from "../../../../src/market/balance.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { walletOf } from "../../../support/fakes/venue.ts";

const bid = bidIntent({ id: "a", availableBefore: "5000", at: new FakeTimers().now() });

function reconcilerOf(given: Partial<ReconcilerOptions<Wallet>> = {}) {
  const timers = new FakeTimers();
  const began = timers.now();
  const seen = {
    reads: [] as number[],
    checks: [] as [string, Evidence | undefined][],
    ends: [] as [string, string, Evidence][],
    wallet: (): Promise<Wallet> => Promise.resolve(walletOf({ THB: "5000" })),
  };
  const reconciler = new Reconciler({
    timers,
    random: () => 0.5,
    read: () => {
      seen.reads.push(timers.now() - began);
      return seen.wallet();
    },
    isMine: () => true,
    weigh: (order, wallet) => ({
      state: freeOf(wallet, "THB")?.eq("4000") ? "accepted" : "unknown",
      ...balanceEvidence(order, wallet),
    }),
    record: (id, check) => seen.checks.push([id, check]),
    settle: (...end) => seen.ends.push(end),
    ...given,
  });
  const endings = (): string[] => seen.ends.map(([id, outcome]) => `${id} ${outcome}`);
  return { reconciler, seen, endings, timers };
}

describe("the reconciler", () => {
  it("checks after about 5, 15, 45 and 120 s, and leaves a bid unresolved without a proof", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(119_999);
    assert.deepEqual(endings(), []);
    await timers.advance(1);
    assert.deepEqual(seen.reads, [5_000, 15_000, 45_000, 120_000]);
    assert.deepEqual(endings(), ["a unresolved"]);
    assert.match(seen.ends[0]?.[2].text ?? "", /difference 0$/);
    assert.deepEqual(
      seen.checks.map(([id, check]) => `${id} ${check?.state}`),
      ["a unknown", "a unknown", "a unknown", "a unknown"],
    );
    assert.equal(timers.nextIn, undefined);
  });

  it("repeats the last check, later each time, while the end of a bid cannot be recorded", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf({
      settle: (...end) => {
        seen.ends.push(end);
        if (seen.ends.length < 4) reconciler.checkAgain(end[0]);
      },
    });
    reconciler.checkAgain("a");
    assert.equal(timers.nextIn, undefined, "a bid that was never watched is not checked");
    reconciler.watch([bid]);
    await timers.advance(300_000);
    assert.deepEqual(endings(), Array(4).fill("a unresolved"));
    const gaps = seen.reads.slice(4).map((at, index) => at - (seen.reads[3 + index] ?? 0));
    assert.deepEqual(
      gaps.toSorted((a, b) => a - b),
      gaps,
    );
    assert.ok((gaps[0] ?? 0) >= 1000 && new Set(gaps).size === 3, gaps.join());
    reconciler.dispose();
    reconciler.checkAgain("a");
    assert.equal(timers.nextIn, undefined, "nor after the window was closed");
  });

  it("repeats the last check also if a failed recording is reported long after the check", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(180_000);
    assert.deepEqual([endings(), timers.nextIn], [["a unresolved"], undefined]);
    reconciler.checkAgain("a");
    await timers.advance(10_000);
    assert.deepEqual([endings(), seen.reads.length], [["a unresolved", "a unresolved"], 5]);
  });

  it("starts over with a bid that is dropped and listed again after a failed recording", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(120_000);
    reconciler.checkAgain("a");
    reconciler.watch([]);
    reconciler.watch([bid]);
    await timers.advance(10_000);
    assert.equal(seen.reads.length, 5);
  });

  it("checks each of several bids at its own time", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    reconciler.watch([bid, { ...bid, id: "earlier", at: bid.at - 2_750 }]);
    await timers.advance(6_000);
    assert.deepEqual(seen.reads, [2_250, 5_000]);
  });

  it("checks at the due time if its window became responsible shortly before", async () => {
    let mine = false;
    const { reconciler, seen, timers } = reconcilerOf({ isMine: () => mine });
    reconciler.watch([{ ...bid, at: bid.at - 2_750 }]);
    await timers.advance(2_100);
    mine = true;
    await timers.advance(1_000);
    assert.deepEqual(seen.reads, [2_250]);
  });

  it("shifts each time by up to a tenth, earlier or later", async () => {
    for (const [random, times] of [
      [0, [4_500, 13_500, 40_500, 108_000]],
      [1, [5_500, 16_500, 49_500, 132_000]],
    ] as const) {
      const { reconciler, seen, timers } = reconcilerOf({ random: () => random });
      reconciler.watch([bid]);
      await timers.advance(140_000);
      assert.deepEqual(seen.reads, times);
    }
  });

  it("ends with the first check that finds the bid placed", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(10_000);
    seen.wallet = () => Promise.resolve(walletOf({ THB: "4000" }));
    await timers.advance(200_000);
    assert.deepEqual(seen.reads, [5_000, 15_000]);
    assert.deepEqual(endings(), ["a accepted"]);
    assert.match(seen.ends[0]?.[2].text ?? "", /difference -1000$/);
  });

  it("repeats a failed last check, at most a minute apart, until a check succeeds", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(5_000);
    seen.wallet = () => Promise.reject(new Error("offline"));
    await timers.advance(3_600_000);
    assert.deepEqual(endings(), []);
    const pauses = seen.reads.slice(3).map((at, index) => at - (seen.reads[index + 2] ?? 0));
    assert.deepEqual(pauses.slice(0, 7), [75_000, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000]);
    assert.ok(Math.max(...pauses.slice(1)) <= 60_000);
    assert.deepEqual(
      seen.checks.map(([, found]) => found?.state),
      ["unknown", undefined, undefined, undefined],
      "repeated failures are not kept",
    );
    seen.wallet = () => Promise.resolve(walletOf({ THB: "4000" }));
    await timers.advance(60_000);
    assert.deepEqual(endings(), ["a accepted"]);
    assert.equal(timers.nextIn, undefined);
  });

  it("pauses after the end of a slow poll that failed, not after its beginning", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    seen.wallet = () =>
      new Promise((_, reject) => void timers.after(4_000, () => reject(new Error("offline"))));
    reconciler.watch([{ ...bid, at: bid.at - 119_000 }]);
    await timers.advance(13_000);
    assert.deepEqual(seen.reads, [0, 4_000, 11_000]);
  });

  it("ignores an early poll if the last check could not read the balance", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(45_000);
    let failures = 3;
    seen.wallet = async () => {
      if (failures-- > 0) throw new Error("offline");
      return walletOf({ THB: "4500" });
    };
    await timers.advance(75_000 + 3_000 + 6_000 + 11_999);
    assert.deepEqual(endings(), []);
    await timers.advance(1);
    assert.deepEqual(endings(), ["a unresolved"]);
    assert.equal(seen.ends[0]?.[2].now, "4500");
  });

  it("uses a poll for another bid also for bids whose last check is delayed", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    seen.wallet = () => Promise.reject(new Error("offline"));
    reconciler.watch([{ ...bid, id: "old", at: bid.at - 200_000 }]);
    await timers.advance(1_000);
    reconciler.watch([
      { ...bid, id: "old", at: bid.at - 200_000 },
      { ...bid, at: bid.at - 3_000 },
    ]);
    seen.wallet = () => Promise.resolve(walletOf({ THB: "5000" }));
    await timers.advance(1_000);
    assert.deepEqual(seen.reads, [0, 2_000]);
    assert.deepEqual(endings(), ["old unresolved"]);
  });

  it("reads the wallet once for all bids that are due at the same time", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    seen.wallet = () => Promise.resolve(walletOf({ THB: "4000" }));
    reconciler.watch([bid, { ...bid, id: "dollars", quote: "USD", amount: "100" }]);
    await timers.advance(120_000);
    assert.equal(seen.reads.length, 1);
    assert.deepEqual(endings(), ["a accepted", "dollars accepted"]);
  });

  it("replaces all checks missed before a restart by one check, at once", async () => {
    for (const [sentAgo, first, rest] of [
      [20_000, 0, [25_000, 100_000]],
      [86_400_000, 0, []],
    ] as const) {
      const { reconciler, seen, timers, endings } = reconcilerOf();
      reconciler.watch([{ ...bid, at: bid.at - sentAgo }]);
      await timers.advance(200_000);
      assert.deepEqual(seen.reads, [first, ...rest]);
      assert.deepEqual(endings(), ["a unresolved"]);
    }
  });

  it("checks once, within a second, when the computer wakes, and no old timer fires later", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    reconciler.watch([bid]);
    await timers.advance(6_000);
    timers.sleep(3_600_000);
    await timers.advance(1_000);
    assert.equal(seen.reads.length, 2);
    assert.equal(seen.ends.length, 1);
    await timers.advance(3_600_000);
    assert.equal(seen.reads.length, 2);
    assert.equal(seen.ends.length, 1);
  });

  it("checks at once on request, and once for several requests", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    await reconciler.runDueChecks();
    assert.deepEqual(seen.reads, [], "nothing is due");
    timers.sleep(3_600_000);
    await Promise.all([reconciler.runDueChecks(), reconciler.runDueChecks()]);
    assert.equal(seen.reads.length, 1);
    assert.deepEqual(endings(), ["a unresolved"]);
  });

  it("repeats the check after a resume until the network is available", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    timers.sleep(28_800_000);
    seen.wallet = () => Promise.reject(new Error("no route"));
    await timers.advance(1_000);
    assert.deepEqual([seen.reads.length, endings()], [1, []]);
    seen.wallet = () => Promise.resolve(walletOf({ THB: "4000" }));
    await timers.advance(3_000);
    assert.deepEqual(endings(), ["a accepted"]);
  });

  it("is not delayed if the clock was set back or a bid has a later time", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    reconciler.watch([bid, { ...bid, id: "later", at: bid.at + 86_400_000 }]);
    await timers.advance(6_000);
    timers.sleep(-86_400_000);
    await timers.advance(120_000);
    assert.equal(seen.ends.length, 2);
  });

  it("leaves the checks to the responsible window, and checks when it is responsible itself", async () => {
    let mine = false;
    const { reconciler, seen, timers, endings } = reconcilerOf({ isMine: () => mine });
    reconciler.watch([bid]);
    await timers.advance(60_000);
    assert.deepEqual(seen.reads, []);
    mine = true;
    await timers.advance(60_000);
    assert.deepEqual(seen.reads, [61_000, 120_000]);
    assert.deepEqual(endings(), ["a unresolved"]);
  });

  it("records nothing if the task went to another window during the poll", async () => {
    let mine = true;
    const { reconciler, seen, timers } = reconcilerOf({ isMine: () => mine });
    seen.wallet = async () => {
      mine = false;
      return walletOf({ THB: "4000" });
    };
    reconciler.watch([bid]);
    await timers.advance(200_000);
    assert.deepEqual([seen.reads.length, seen.checks, seen.ends], [1, [], []]);
  });

  it("never runs two polls at the same time, also if a poll takes long", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    const answers: ((wallet: Wallet) => void)[] = [];
    seen.wallet = () => new Promise((resolve) => answers.push(resolve));
    reconciler.watch([bid]);
    await timers.advance(60_000);
    reconciler.watch([bid]);
    await timers.advance(10_000);
    assert.equal(seen.reads.length, 1);
    answers.pop()?.(walletOf({ THB: "5000" }));
    await timers.advance(0);
    assert.equal(seen.reads.length, 2);
    answers.pop()?.(walletOf({ THB: "4000" }));
    await settle();
    assert.deepEqual(endings(), ["a accepted"]);
  });

  it("ignores a bid that is no longer listed, and checks the bid again if it was not settled", async () => {
    const { reconciler, seen, timers, endings } = reconcilerOf();
    reconciler.watch([bid]);
    reconciler.watch([]);
    await timers.advance(60_000);
    assert.deepEqual(seen.reads, []);
    reconciler.watch([bid]);
    await timers.advance(60_000);
    assert.deepEqual(endings(), ["a unresolved"]);
    reconciler.watch([bid]);
    await timers.advance(200_000);
    assert.deepEqual([endings().length, seen.reads.length], [1, 2]);
  });

  it("does not check a settled bid again because of a list that was made before the settlement", async () => {
    const parts: ReturnType<typeof reconcilerOf> = reconcilerOf({
      record: () => parts.reconciler.watch([bid]),
    });
    parts.reconciler.watch([bid]);
    await parts.timers.advance(300_000);
    assert.deepEqual([parts.endings(), parts.seen.reads.length], [["a unresolved"], 4]);
  });

  it("stops when it is disposed of, and drops the running poll", async () => {
    const { reconciler, seen, timers } = reconcilerOf();
    let answer: (wallet: Wallet) => void = () => assert.fail();
    seen.wallet = () => new Promise((resolve) => (answer = resolve));
    reconciler.watch([bid]);
    await timers.advance(5_000);
    reconciler.dispose();
    answer(walletOf({ THB: "4000" }));
    await timers.advance(200_000);
    assert.deepEqual([seen.reads.length, seen.checks, seen.ends], [1, [], []]);
    assert.equal(timers.nextIn, undefined);
    reconciler.watch([bid]);
    assert.equal(timers.nextIn, undefined, "also for bids that follow");
  });
});
