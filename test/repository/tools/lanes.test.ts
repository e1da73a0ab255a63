import assert from "node:assert/strict";
import { runInLanes, type Unit } from "../../../tools/test/lanes.ts";

/** Units that end when the test says so; `running` has the running units. */
function openUnits() {
  const running = new Map<string, () => void>();
  const unit = (name: string, given: Partial<Unit<string>> = {}): Unit<string> => ({
    group: name,
    name,
    kind: "light",
    run: () => new Promise((resolve) => running.set(name, () => resolve(name))),
    ...given,
  });
  const end = async (name: string): Promise<void> => {
    const done = running.get(name);
    assert.ok(done, `${name} is running`);
    running.delete(name);
    done();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { unit, end, now: () => [...running.keys()].sort() };
}

describe("the lanes of the test command", () => {
  it("begin a unit only after all units before it have ended", async () => {
    const { unit, end, now } = openUnits();
    const over = runInLanes(
      [
        unit("build 1", { group: "build" }),
        unit("build 2", { group: "build" }),
        unit("use", { after: "build" }),
      ],
      () => undefined,
    );
    await end("build 1");
    assert.deepEqual(now(), ["build 2"]);
    await end("build 2");
    assert.deepEqual(now(), ["use"]);
    await end("use");
    await over;
  });

  it("run every unit once, of whatever kind", async () => {
    const { unit } = openUnits();
    const kinds = ["light", "heavy", "waiting", "alone"] as const;
    const all = [...kinds, ...kinds].map((kind, at) =>
      unit(`${kind} ${at}`, { kind, run: () => Promise.resolve("") }),
    );
    const ended: string[] = [];
    await runInLanes(all, ({ name }) => ended.push(name));
    assert.deepEqual(ended.sort(), all.map(({ name }) => name).sort());
  });

  it("end with the error of a unit", async () => {
    const { unit } = openUnits();
    const broken = unit("broken", { run: () => Promise.reject(new Error("broken")) });
    await assert.rejects(
      runInLanes([broken], () => undefined),
      { message: "broken" },
    );
  });
});
