import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { progress } from "../../tools/test/step.ts";

/** Environment variable that makes random tests run in full. */
export const FULL = "BIDSIDE_FULL";
/** Environment variable with the seed of all random tests. */
export const SEED = "BIDSIDE_SEED";
/** Environment variable with the number of rounds of every random test. */
export const ROUNDS = "BIDSIDE_ROUNDS";

/** How long a random test takes unless it runs in full, in ms; one round may take longer. */
const TIME_MS = 1500;

/** No seed, nor the seed of a round, is larger. */
const LARGEST_SEED = 2 ** 31 - 1;

/** Whether random tests run in full: `npm test -- --full`, or `npm run test:safety`. */
export function isFull(): boolean {
  return process.env[FULL] !== undefined;
}

/** The seed of all random tests: that of the run, else one made from the commit. */
export function seedOfRun(): number {
  const given = process.env[SEED];
  return given === undefined ? seedOfCommit() : Number(given);
}

/** The seed of a run without a given one: new in a full run, so that each tries other cases, else the commit's. */
export function newSeed(): number {
  return isFull() ? Math.floor(Math.random() * LARGEST_SEED) : seedOfCommit();
}

function seedOfCommit(): number {
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, stdio: "pipe" });
    return Number.parseInt(head.toString().slice(0, 7), 16);
  } catch {
    // The sources were downloaded without their history.
    return 1;
  }
}

/** The seed of one round of a test. Round 0 has the seed of the run. */
export function seedOfRound(round: number): number {
  return (seedOfRun() + round) % LARGEST_SEED;
}

/** The rounds of a random test that has `full` in a full run, otherwise as many as fit into its time, at least one. */
export function* roundsOf(full: number): Generator<number, void> {
  const isOver = timeLimit();
  const count = roundsAtMost(full);
  for (let round = 0; round < count && !(round > 0 && isOver()); round += 1) {
    yield round;
    progress();
  }
}

function roundsAtMost(full: number): number {
  const given = process.env[ROUNDS];
  return given === undefined ? full : Number(given);
}

/** Returns whether the time of a random test is over: never if its number of rounds is fixed. */
function timeLimit(): () => boolean {
  if (isFull() || process.env[ROUNDS] !== undefined) return () => false;
  const started = performance.now();
  return () => performance.now() - started > TIME_MS;
}

/**
 * Checks a property for as many rounds as `roundsOf`. Fast-check's own time limit would abandon a round of an
 * asynchronous property in its middle.
 */
export async function checkProperty<Values>(
  full: number,
  property: fc.IRawProperty<Values>,
  parameters: fc.Parameters<Values> = {},
): Promise<fc.RunDetails<Values>> {
  const numRuns = roundsAtMost(full);
  const limited = parameters.path === undefined ? new LimitedProperty(property) : property;
  return await fc.check(limited, { seed: seedOfRun(), numRuns, ...parameters });
}

/** The same for a property that is not shrunk elsewhere: throws fast-check's own report of a failure. Returns the number of rounds. */
export async function assertProperty<Values>(
  full: number,
  property: fc.IRawProperty<Values>,
): Promise<number> {
  const found = await checkProperty(full, property);
  if (found.failed) throw new Error(fc.defaultReportMessage(found), { cause: found.errorInstance });
  return found.numRuns;
}

/** A property that begins no round after its time, but shrinks a failure to the end. */
class LimitedProperty<Values> implements fc.IRawProperty<Values> {
  readonly #property: fc.IRawProperty<Values>;
  readonly #isOver = timeLimit();
  #rounds = 0;
  #hasFailed = false;

  constructor(property: fc.IRawProperty<Values>) {
    this.#property = property;
  }

  isAsync(): boolean {
    return this.#property.isAsync();
  }

  generate(random: fc.Random, runId?: number): fc.Value<Values> {
    return this.#property.generate(random, runId);
  }

  shrink(value: fc.Value<Values>): fc.Stream<fc.Value<Values>> {
    this.#hasFailed = true;
    return this.#property.shrink(value);
  }

  run(values: Values): ReturnType<fc.IRawProperty<Values>["run"]> {
    progress();
    this.#rounds += 1;
    if (this.#rounds === 1 || this.#hasFailed || !this.#isOver()) return this.#property.run(values);
    const over = new fc.PreconditionFailure(true);
    return this.#property.isAsync() ? Promise.resolve(over) : over;
  }

  runBeforeEach(): Promise<void> | void {
    return this.#property.runBeforeEach();
  }

  runAfterEach(): Promise<void> | void {
    return this.#property.runAfterEach();
  }
}
