import assert from "node:assert/strict";
import { basename } from "node:path";
import Mocha from "mocha";
import type { TestEvent } from "../../../tools/test/events.ts";
import { follow } from "../../../tools/test/follow.ts";
import { progress } from "../../../tools/test/step.ts";
import { pictureOfFailure, stories, within } from "../../../tools/test/story.ts";

/** Named steps, and named parts with steps of their own. */
interface Steps {
  readonly [title: string]: (() => unknown) | Steps | undefined;
}

interface Found {
  readonly passed: number;
  /** Full titles, each with the first line of its error without the error's name. */
  readonly failures: readonly string[];
  readonly kept: readonly string[];
  /** The steps and parts that ran. */
  readonly ran: readonly string[];
  /** Whether the end of the story knew the file for a picture. */
  readonly isPictured: boolean;
}

/** Runs stories of named steps. */
async function run(all: Readonly<Record<string, Steps>>, limitMs = 1000): Promise<Found> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 0,
    reporter: silent as unknown as Mocha.ReporterConstructor,
  });
  const ran: string[] = [];
  let isPictured = false;
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
  for (const [title, steps] of Object.entries(all)) {
    const suite = Mocha.Suite.create(mocha.suite, title);
    fill(suite, steps);
    suite.afterAll(() => {
      isPictured ||= pictureOfFailure() !== undefined;
    });
  }
  const events: TestEvent[] = [];
  await new Promise((done) => {
    const runner = mocha.run(done);
    follow(mocha, runner, { limitMs, stories, send: (event) => events.push(event) });
  });
  const failed = events.filter((event) => event.kind === "failed");
  return {
    passed: events.filter(({ kind }) => kind === "passed").length,
    failures: failed.map(
      ({ failure: { title, error } }) =>
        `${title}: ${error.split("\n", 1)[0]?.replace(/^\w*Error[^:]*: /, "")}`,
    ),
    kept: failed.flatMap(({ failure }) => failure.kept),
    ran,
    isPictured,
  };
}

/** A reporter that prints nothing. */
function silent(): void {}

const fails = (): never => assert.fail("no row\nsecond line");
const works = (): void => undefined;
const never = (): Promise<void> => new Promise(() => undefined);

describe("a story of a journey", () => {
  it("ends with its first failure, and the next story runs", async () => {
    const found = await run({
      "a trader": { "looks on": works, "sees a row": fails, "clicks the row": works, "goes home": works },
      "another trader": { "looks on too": works },
    });
    assert.deepEqual(found.ran, ["looks on", "sees a row", "looks on too"]);
    assert.equal(found.passed, 2);
    assert.deepEqual(found.failures, ["a trader sees a row: no row"]);
  });

  it("keeps a picture and the editor's logs of its failure", async () => {
    const { kept, isPictured } = await run({ "a trader": { "sees a row": fails } });
    assert.deepEqual(
      kept.map((path) => basename(path)),
      ["failed-a-trader-sees-a-row.png", "failed-a-trader-sees-a-row-logs"],
    );
    assert.equal(isPictured, true);
  });

  it("begins no part behind its first failure, so that the picture shows the moment of the failure", async () => {
    const { failures, ran } = await run({
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
    assert.deepEqual(failures, ["a trader who is rich clicks the row: no row"]);
  });

  it("ends when a step makes no progress for as long as a step may hang", async () => {
    const { failures, ran } = await run({ "a trader": { waits: never, "goes on": works } }, 50);
    assert.deepEqual(ran, ["waits"]);
    assert.match(failures.join(), /^a trader waits: No progress for \d+ s$/);
  });

  it("counts a hung step once, though the step fails by itself later", async () => {
    let fail = (_error: Error): void => undefined;
    const late = (): Promise<void> => new Promise((_, reject) => (fail = reject));
    const waitsOn = (): Promise<void> => {
      fail(new Error("too late"));
      return new Promise((resolve) => setImmediate(resolve));
    };
    const found = await run({ "a trader": { waits: late }, "another trader": { waits: waitsOn } }, 50);
    assert.deepEqual([found.passed, found.failures.length], [1, 1]);
  });

  it("gives a step more time for a named longer action, and while it makes progress", async () => {
    const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));
    const found = await run(
      {
        "a trader": {
          "opens an editor": () => within("open an editor", soon),
          "does much": async () => {
            for (let left = 20; left > 0; left -= 1) {
              await new Promise((resolve) => setTimeout(resolve, 10));
              progress();
            }
          },
        },
      },
      100,
    );
    assert.deepEqual([found.passed, found.failures], [2, []]);
  });

  it("fails if a step is skipped", async () => {
    const { failures } = await run({ "a trader": { "was here once": undefined, "looks on": works } });
    assert.deepEqual(failures, ["a trader was here once: Skipped"]);
  });
});
