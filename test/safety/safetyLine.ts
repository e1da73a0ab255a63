import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { seededRandom } from "../support/random.ts";
import { isFull, roundsOf } from "../support/rounds.ts";

/** The file for the figures: one line of JSON for each. */
export const FIGURES = "BIDSIDE_SAFETY_FIGURES";
/** To repeat a run: the seed, the number of rounds, and for a property the path to its smallest failure. */
export const SEED = "BIDSIDE_SAFETY_SEED";
export const ROUNDS = "BIDSIDE_SAFETY_ROUNDS";
export const PATH = "BIDSIDE_SAFETY_PATH";

/** The seed of `npm test`, where every run must give the same result. A full run has a new seed. */
const FIXED_SEED = 2611;
const LARGEST_SEED = 2 ** 31 - 1;

/** The result of a line that holds. */
export interface Figure {
  readonly line: number;
  readonly figure: string;
  readonly seed: number;
  readonly seconds: number;
}

/** One round of a line: all its random numbers come from here. */
interface Round {
  readonly seed: number;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
}

/** How a line is proved: how often, and from which seed. */
export interface Proof {
  readonly seed: number;
  /** Rounds to run where the full figure is `full`; at least one. */
  rounds(full: number): number;
  /** Runs the rounds in turn and returns how many; a failure names the one command that runs its round alone. */
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
  it(`${line}. ${claim}`, async function () {
    // By the wall clock: a computer whose host takes its cores away needs several times as long.
    this.timeout(isFull() ? 59 * 60_000 : 8 * 60_000);
    const started = performance.now();
    const proof = proofOf(line);
    const figure = await prove(proof);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    console.log(`      ${figure} (seed ${proof.seed}, ${seconds} s)`);
    const file = process.env[FIGURES];
    const found: Figure = { line, figure, seed: proof.seed, seconds };
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(found)}\n`);
  });
}

function proofOf(line: number): Proof {
  const seed = numberIn(SEED) ?? (isFull() ? Math.floor(Math.random() * LARGEST_SEED) : FIXED_SEED);
  const rounds = (full: number): number => numberIn(ROUNDS) ?? roundsOf(full);
  const again = `npm run test:safety -- --line ${line}`;
  return {
    seed,
    rounds,
    async each(full, round) {
      const count = rounds(full);
      for (let index = 0; index < count; index++) {
        const own = (seed + index) % LARGEST_SEED;
        try {
          await round({ seed: own, random: seededRandom(own) });
        } catch (error) {
          throw new Error(`${messageOf(error)}\nRun this round alone: ${again} --seed ${own} --rounds 1`, {
            cause: error,
          });
        }
      }
      return count;
    },
    async property(full, property, parameters) {
      const numRuns = rounds(full);
      const path = process.env[PATH];
      const found = await fc.check(property, {
        ...parameters,
        seed,
        numRuns,
        ...(path !== undefined && { path, endOnFailure: true }),
      });
      if (!found.failed) return found.numRuns;
      throw new Error(
        `${messageOf(found.errorInstance)}\nCounterexample: ${fc.stringify(found.counterexample)}\n` +
          `Run it alone: ${again} --seed ${seed} --path ${firstFailure(found.counterexamplePath)}`,
        { cause: found.errorInstance },
      );
    },
  };
}

/** The path to the first failure, which is then shrunk again: a path does not contain a schedule's steps. */
function firstFailure(path: string | null): string {
  return path?.split(":")[0] ?? "0";
}

function numberIn(name: string): number | undefined {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
