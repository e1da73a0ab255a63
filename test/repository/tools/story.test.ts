import assert from "node:assert/strict";
import Mocha from "mocha";
import type { Outcome } from "../../../tools/test/outcome.ts";
import { followStories, pictureOfFailure, within } from "../../../tools/test/story.ts";

/** Named steps, and named parts with steps of their own. */
interface Steps {
  readonly [title: string]: (() => unknown) | Steps | undefined;
}

/** Runs stories of named steps. Returns the outcome, and the steps and parts that ran. */
async function run(
  stories: Readonly<Record<string, Steps>>,
  stepMs = 1000,
): Promise<{ readonly outcome: Outcome; readonly ran: readonly string[]; readonly pictured: boolean }> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 0,
    reporter: silent as unknown as Mocha.ReporterConstructor,
  });
  const ran: string[] = [];
  let pictured = false;
  const fill = (suite: Mocha.Suite, steps: Steps): void => {
    for (const [title, step] of Object.entries(steps)) {
      if (typeof step === "object") {
        const part = Mocha.Suite.create(suite, title);
        part.beforeAll(() => void ran.push(title));
        fill(part, step);
        continue;
      }
      const whole =
        step &&
        (async (): Promise<void> => {
          ran.push(title);
          await step();
        });
      suite.addTest(new Mocha.Test(title, whole));
    }
  };
  for (const [story, steps] of Object.entries(stories)) {
    const suite = Mocha.Suite.create(mocha.suite, story);
    fill(suite, steps);
    suite.afterAll(() => {
      pictured ||= pictureOfFailure() !== undefined;
    });
  }
  const outcomeSoFar = await new Promise<() => Outcome>((resolve) => {
    const runner = mocha.run(() => resolve(outcome));
    const outcome = followStories(runner, stepMs);
  });
  return { outcome: outcomeSoFar(), ran, pictured };
}

/** A reporter that prints nothing. */
function silent(): void {}

const fails = (): never => assert.fail("no row\nsecond line");
const works = (): void => undefined;
const never = (): Promise<void> => new Promise(() => undefined);

describe("a story of a journey", () => {
  it("ends with its first failure, in one line, and the next story runs", async () => {
    const { outcome, ran, pictured } = await run({
      "a trader": { "looks on": works, "sees a row": fails, "clicks the row": works, "goes home": works },
      "another trader": { "looks on too": works },
    });
    assert.deepEqual(ran, ["looks on", "sees a row", "looks on too"]);
    assert.deepEqual(outcome, {
      passed: 2,
      failed: 1,
      failures: ["a trader sees a row: no row. Later steps not run: 2."],
    });
    assert.equal(pictured, true, "the story's last hook knows the file for a picture");
  });

  it("begins no part behind its first failure, so that the picture shows the moment of the failure", async () => {
    const { outcome, ran } = await run({
      "a trader": {
        "looks on": works,
        "who is rich": { "sees a row": works, "clicks the row": fails, "who is bold": { "goes on": works } },
        "who is poor": { "looks again": works },
      },
      "another trader": { "who is rich": { "looks on too": works } },
    });
    assert.deepEqual(ran, [
      "looks on",
      "who is rich",
      "sees a row",
      "clicks the row",
      "who is rich",
      "looks on too",
    ]);
    assert.deepEqual(outcome.failures, [
      "a trader who is rich clicks the row: no row. Later steps not run: 2.",
    ]);
  });

  it("ends when a step makes no progress for as long as a step may hang", async () => {
    const { outcome, ran } = await run({ "a trader": { waits: never, "goes on": works } }, 50);
    assert.deepEqual(ran, ["waits"]);
    assert.equal(outcome.failed, 1);
    assert.match(
      outcome.failures[0] ?? "",
      /^a trader waits: Nothing happened for 50 ms\. Later steps not run: 1\.$/,
    );
  });

  it("counts a hung step once, though the step fails by itself later", async () => {
    let fail = (_error: Error): void => undefined;
    const late = (): Promise<void> => new Promise((_, reject) => (fail = reject));
    const waitsOn = (): Promise<void> => {
      fail(new Error("too late"));
      return new Promise((resolve) => setTimeout(resolve, 20));
    };
    const { outcome } = await run({ "a trader": { waits: late }, "another trader": { waits: waitsOn } }, 50);
    assert.deepEqual([outcome.passed, outcome.failed], [1, 1]);
  });

  it("gives a step more time for a named longer action", async () => {
    const { outcome } = await run(
      {
        "a trader": {
          "opens an editor": async () => {
            await within("open an editor", () => new Promise((resolve) => setTimeout(resolve, 100)));
          },
        },
      },
      50,
    );
    assert.deepEqual(outcome, { passed: 1, failed: 0, failures: [] });
  });

  it("fails if a step is skipped", async () => {
    const { outcome } = await run({ "a trader": { "was here once": undefined, "looks on": works } });
    assert.deepEqual(outcome, { passed: 1, failed: 1, failures: ["a trader was here once: skipped"] });
  });
});
