import assert from "node:assert/strict";
import { runTasks, type Task } from "../../../tools/test/schedule.ts";

/** Runs tasks that end when the test says so; `now` has the running ones. */
function openRun(tasks: readonly Task[], limits: { workers?: number; editors?: number } = {}) {
  const running = new Map<string, (isWell: boolean) => void>();
  const stop = new AbortController();
  const left = runTasks(
    tasks,
    { workers: 9, editors: 9, ...limits, signal: stop.signal },
    ({ name }) => new Promise((resolve) => running.set(name, resolve)),
  );
  const end = async (name: string, isWell = true): Promise<void> => {
    const done = running.get(name) ?? assert.fail(`${name} is not running`);
    running.delete(name);
    done(isWell);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    end,
    stop,
    now: () => [...running.keys()],
    left: async () => (await left).map(({ name }) => name),
  };
}

function task(name: string, given: Partial<Task> = {}): Task {
  return { name, after: [], hasEditor: false, ...given };
}

describe("the tasks of the test command", () => {
  it("begin in the given order, as many as there are workers", async () => {
    const { end, now, left } = openRun([task("long"), task("short"), task("shorter")], { workers: 2 });
    assert.deepEqual(now(), ["long", "short"]);
    await end("short");
    assert.deepEqual(now(), ["long", "shorter"]);
    await end("long");
    await end("shorter");
    assert.deepEqual(await left(), []);
  });

  it("wait for what they need, and for nothing else", async () => {
    const tasks = [task("package"), task("journey", { after: ["package", "editor"] }), task("unit")];
    const { end, now } = openRun([task("editor"), ...tasks]);
    assert.deepEqual(now(), ["editor", "package", "unit"]);
    await end("package");
    await end("unit");
    assert.deepEqual(now(), ["editor"]);
    await end("editor");
    assert.deepEqual(now(), ["journey"]);
  });

  it("need nothing that is no task of this run", () => {
    assert.deepEqual(openRun([task("journey", { after: ["package"] })]).now(), ["journey"]);
  });

  it("run no more editors at once than pays", async () => {
    const tasks = ["one", "two"].map((name) => task(name, { hasEditor: true }));
    const { end, now } = openRun([...tasks, task("unit")], { editors: 1 });
    assert.deepEqual(now(), ["one", "unit"]);
    await end("one");
    assert.deepEqual(now(), ["unit", "two"]);
  });

  it("do not run if what they need failed, also not what needs those", async () => {
    const tasks = [task("pages", { after: ["build"] }), task("journey", { after: ["pages"] }), task("unit")];
    const { end, left } = openRun([task("build"), ...tasks]);
    await end("build", false);
    await end("unit");
    assert.deepEqual(await left(), ["pages", "journey"]);
  });

  it("do not begin behind an interruption", async () => {
    const { end, stop, left } = openRun([task("one"), task("two")], { workers: 1 });
    stop.abort();
    await end("one");
    assert.deepEqual(await left(), ["two"]);
  });

  it("end the run with the error of one", async () => {
    const broken = runTasks(
      [task("broken")],
      { workers: 1, editors: 1, signal: new AbortController().signal },
      () => Promise.reject(new Error("broken")),
    );
    await assert.rejects(broken, { message: "broken" });
  });
});
