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
  it("begin waiting units beside those that need all cores, and the others after them", async () => {
    const { unit, end, now } = openUnits();
    const all = [unit("light"), unit("alone", { kind: "alone" })];
    all.push(...[1, 2].map((number) => unit(`waiting ${number}`, { kind: "waiting" })));
    const over = runInLanes(all, () => undefined);
    assert.deepEqual(now(), ["alone", "waiting 1"]);
    await end("waiting 1");
    assert.deepEqual(now(), ["alone", "waiting 2"]);
    await end("waiting 2");
    assert.deepEqual(now(), ["alone"]);
    await end("alone");
    assert.deepEqual(now(), ["light"]);
    await end("light");
    await over;
  });

  it("begin after the units that need all cores alone", async () => {
    const { unit, end, now } = openUnits();
    const all = [
      unit("light"),
      unit("alone 1", { kind: "alone", after: "light" }),
      unit("alone 2", { kind: "alone" }),
    ];
    const over = runInLanes(all, () => undefined);
    for (const name of ["alone 1", "alone 2", "light"]) {
      assert.deepEqual(now(), [name]);
      await end(name);
    }
    await over;
  });

  it("run a heavy unit beside light units, and two heavy units only if no light unit is left", async () => {
    const { unit, end, now } = openUnits();
    const ended: string[] = [];
    const all = [1, 2, 3].map((number) => unit(`light ${number}`));
    all.push(...[1, 2, 3].map((number) => unit(`heavy ${number}`, { kind: "heavy" })));
    const over = runInLanes(all, ({ name }) => ended.push(name));
    assert.deepEqual(now(), ["heavy 1", "light 1", "light 2"]);
    await end("light 1");
    assert.deepEqual(now(), ["heavy 1", "light 2", "light 3"]);
    await end("light 2");
    await end("light 3");
    assert.deepEqual(now(), ["heavy 1", "heavy 2"]);
    await end("heavy 2");
    assert.deepEqual(now(), ["heavy 1", "heavy 3"]);
    await end("heavy 3");
    await end("heavy 1");
    await over;
    assert.deepEqual(ended, ["light 1", "light 2", "light 3", "heavy 2", "heavy 3", "heavy 1"]);
  });

  it("run waiting units in a separate lane, one after the other, which takes light units afterwards", async () => {
    const { unit, end, now } = openUnits();
    const all = [1, 2].map((number) => unit(`waiting ${number}`, { kind: "waiting" }));
    all.push(...[1, 2, 3, 4].map((number) => unit(`light ${number}`)));
    const over = runInLanes(all, () => undefined);
    assert.deepEqual(now(), ["light 1", "light 2", "waiting 1"]);
    await end("light 1");
    await end("waiting 1");
    assert.deepEqual(now(), ["light 2", "light 3", "waiting 2"]);
    await end("waiting 2");
    assert.deepEqual(now(), ["light 2", "light 3", "light 4"]);
    for (const name of ["light 2", "light 3", "light 4"]) await end(name);
    await over;
  });

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

  it("end with the error of a unit", async () => {
    const { unit } = openUnits();
    const broken = unit("broken", { run: () => Promise.reject(new Error("broken")) });
    await assert.rejects(
      runInLanes([broken], () => undefined),
      { message: "broken" },
    );
  });
});
