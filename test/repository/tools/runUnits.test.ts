import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { root } from "../../../tools/paths.ts";
import { waitFor } from "../../support/waitFor.ts";

const QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON";

interface Run {
  /** What the command printed so far. */
  output(): string;
  interrupt(): void;
  readonly code: Promise<number | null>;
}

/** Runs fixture suites as the test command runs its own. */
function start(files: readonly string[], silenceMs = 60_000): Run {
  const paths = files.map((name) => `test/fixtures/runner/${name}.ts`);
  const child = spawn(process.execPath, [QUIET, "test/fixtures/runner/run.ts", String(silenceMs), ...paths], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  return {
    output: () => output,
    interrupt: () => child.kill("SIGINT"),
    code: new Promise((done) => child.on("close", done)),
  };
}

/** The same to its end: the lines, and the exit code. */
async function run(files: readonly string[], silenceMs?: number) {
  const { output, code } = start(files, silenceMs);
  const exitCode = await code;
  const lines = output().trimEnd().split("\n");
  return { output: output(), exitCode, last: lines.at(-1), end: output().split("\nFailed:\n")[1] ?? "" };
}

describe("the test command", () => {
  it("prints a failure when it happens, with difference, causes and stack, and once more at the end", async () => {
    const { output, end, exitCode, last } = await run(["failing"]);
    assert.deepEqual([exitCode, last], [1, "2 passed, 2 failed"]);
    for (const text of [output.split("a line of the log")[0] ?? "", end]) {
      assert.match(text, /✘ test\/fixtures\/runner\/failing\.ts: a unit fails with a difference\n/);
      assert.match(text, /\+ {3}rate: '100\.5'\n +- {3}rate: '100\.50'/);
      assert.match(text, /Error: outer\n[\s\S]*at .*failing\.ts:9[\s\S]*Caused by: Error: inner\n/);
    }
    assert.match(output, /a line of the log/, "the log of a unit that failed");
  });

  it("counts a unit that is killed as a failure of the test that was running, and names what did not run", async () => {
    const { output, end, exitCode, last } = await run(["dying", "failing"]);
    assert.deepEqual([exitCode, last], [1, "3 passed, 3 failed"]);
    assert.match(
      end,
      /dying\.ts: a unit dies\n {4}The process was killed by SIGKILL\. .*\n[\s\S]*the last words/,
    );
    assert.match(output, /Not run: 1\n {2}test\/fixtures\/runner\/dying\.ts: a unit is never reached\n/);
  });

  it("kills a unit of which nothing is heard for too long", async () => {
    const { end, exitCode, last } = await run(["hanging"], 1500);
    assert.deepEqual([exitCode, last], [1, "0 passed, 1 failed"]);
    assert.match(end, /a unit never ends\n {4}The process was killed because it was silent for \d+ s\./);
  });

  it("fails if a file cannot be loaded, or a process fails although its tests passed", async () => {
    const { output, end, exitCode, last } = await run(["broken", "leaving"]);
    assert.deepEqual([exitCode, last], [1, "1 passed, 2 failed"]);
    assert.match(end, /broken\.ts: outside of a test\n[\s\S]*Error: cannot be loaded/);
    assert.match(end, /leaving\.ts: after its tests\n {4}The process ended with code 3\./);
    assert.match(output, /Not run: 1\n {2}test\/fixtures\/runner\/broken\.ts\n/);
  });

  it("names what did not run if the user interrupts it", async () => {
    const waiting = start(["waiting"]);
    await waitFor("its first failure", () => waiting.output().includes("seen at once"));
    waiting.interrupt();
    assert.equal(await waiting.code, 130);
    assert.match(
      waiting.output(),
      /Not run: 2\n.*: a unit waits until it is interrupted\n.*: a unit is never reached\n/,
    );
    assert.match(waiting.output(), /Interrupted\.\n0 passed, 1 failed\n$/);
  });
});
