import assert from "node:assert/strict";
import fc from "fast-check";
import {
  assertProperty,
  FULL,
  ROUNDS,
  roundsOf,
  SEED,
  seedOfRound,
  seedOfRun,
} from "../../support/rounds.ts";

/** Runs a test with these environment variables of a run, and no others. */
async function withEnv(
  env: Readonly<Record<string, string>>,
  test: () => Promise<void> | void,
): Promise<void> {
  const names = [FULL, ROUNDS, SEED];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, env);
  try {
    await test();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

/** Lets so many ms pass without another event. */
function spend(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const slow = fc.property(fc.nat(), () => spend(600));

describe("a random test", () => {
  it("runs for about a second and a half, and at least one round", async () => {
    await withEnv({}, async () => {
      const rounds = [];
      for (const round of roundsOf(1000)) {
        spend(1600);
        rounds.push(round);
      }
      assert.deepEqual(rounds, [0]);
      const ran = await assertProperty(1000, slow);
      assert.ok(ran >= 1 && ran <= 3, String(ran));
    });
  });

  it("runs all rounds in a full run, or the number that the command names", async () => {
    await withEnv({ [FULL]: "1" }, async () => {
      assert.deepEqual([...roundsOf(3)], [0, 1, 2]);
      assert.equal(await assertProperty(4, slow), 4);
    });
    await withEnv({ [ROUNDS]: "2" }, async () => {
      assert.deepEqual([...roundsOf(1000)], [0, 1]);
      assert.equal(await assertProperty(1000, slow), 2);
    });
  });

  it("has the seed of the run, or else one of the commit, which stays the same", async () => {
    await withEnv({ [SEED]: "42" }, () => assert.deepEqual([seedOfRun(), seedOfRound(3)], [42, 45]));
    await withEnv({}, () => {
      assert.equal(seedOfRun(), seedOfRun());
      assert.ok(Number.isSafeInteger(seedOfRun()) && seedOfRun() > 0);
    });
  });

  it("names the seed of a failure, and shrinks it although its time is over", async () => {
    const fails = fc.property(fc.nat(), (value) => {
      spend(20);
      assert.ok(value < 1000, "too large");
    });
    await withEnv({ [SEED]: "42" }, () =>
      assert.rejects(assertProperty(1000, fails), (error: Error) => {
        assert.match(error.message, /seed: 42[\s\S]*Counterexample: \[1000\]/);
        assert.match(String(error.cause), /too large/);
        return true;
      }),
    );
  });
});
