import fc from "fast-check";
import { seededRandom } from "../support/random.ts";
import { checkProperty, roundsOf, seedOfRound, seedOfRun } from "../support/rounds.ts";

/** To repeat the smallest failure of a property. */
export const PATH = "BIDSIDE_SAFETY_PATH";

/** One round of a line: all its random numbers come from here. */
interface Round {
  readonly seed: number;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
}

/** How a line is proved: with random rounds, of which a failure names the command that runs it alone. */
export interface Proof {
  readonly seed: number;
  /** Runs the rounds of `roundsOf` in turn and returns how many. */
  each(full: number, round: (round: Round) => Promise<void> | void): Promise<number>;
  /** The same for a property of fast-check, which shrinks a failure. */
  property<Values>(
    full: number,
    property: fc.IRawProperty<Values>,
    parameters?: fc.Parameters<Values>,
  ): Promise<number>;
}

/**
 * One line that a trader relies on, as a mocha test that prints its figure. `prove` throws if the line fails, and
 * returns the figure: how often each case was tried, and the results. `claim` is the line in words.
 */
export function safetyLine(
  line: number,
  claim: string,
  prove: (proof: Proof) => Promise<string> | string,
): void {
  it(`${line}. ${claim}`, async () => {
    const started = performance.now();
    const proof = proofOf(line);
    const figure = await prove(proof);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    console.log(`      ${figure} (seed ${proof.seed}, ${seconds} s)`);
  });
}

function proofOf(line: number): Proof {
  const again = `npm run test:safety -- --line ${line}`;
  return {
    seed: seedOfRun(),
    async each(full, round) {
      let count = 0;
      for (const index of roundsOf(full)) {
        const seed = seedOfRound(index);
        try {
          await round({ seed, random: seededRandom(seed) });
        } catch (error) {
          throw new Error(`${messageOf(error)}\nRun this round alone: ${again} --seed ${seed} --rounds 1`, {
            cause: error,
          });
        }
        count += 1;
      }
      return count;
    },
    async property(full, property, parameters) {
      const path = process.env[PATH];
      const found = await checkProperty(full, property, {
        ...parameters,
        ...(path !== undefined && { path, endOnFailure: true }),
      });
      if (!found.failed) return found.numRuns;
      throw new Error(
        `${messageOf(found.errorInstance)}\nCounterexample: ${fc.stringify(found.counterexample)}\n` +
          `Run it alone: ${again} --seed ${found.seed} --path ${firstFailure(found.counterexamplePath)}`,
        { cause: found.errorInstance },
      );
    },
  };
}

/** The path to the first failure, which is then shrunk again: a path does not contain a schedule's steps. */
function firstFailure(path: string | null): string {
  return path?.split(":")[0] ?? "0";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
