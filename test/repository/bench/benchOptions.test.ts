import assert from "node:assert/strict";
import { BenchOptionsError, benchUsage, readBenchOptions } from "../../bench/benchOptions.ts";

const ROWS = ["bundles", "signing", "click"];
const read = (...args: string[]) => readBenchOptions(args, ROWS);

describe("the bench's options", () => {
  it("are every row, measured once, by default", () => {
    assert.deepEqual(read(), { rows: ROWS, runs: 1, busy: 0 });
  });

  it("name rows, a number of runs, and the number of runs with a busy core", () => {
    assert.deepEqual(read("click", "bundles", "--runs", "5", "--busy=2"), {
      rows: ["bundles", "click"],
      runs: 5,
      busy: 2,
    });
  });

  it("are explained on request, with every row's name", () => {
    assert.equal(read("click", "--help"), "help");
    for (const word of [...ROWS, "--runs", "--busy", "--help"]) assert.ok(benchUsage(ROWS).includes(word));
  });

  it("are refused with a sentence if they are unknown or wrong", () => {
    const refused: [args: string[], message: RegExp][] = [
      [["chart"], /There is no row "chart". Rows are bundles, signing, click\./],
      [["--runs", "0"], /--runs is a number from 1 to 100, not "0"/],
      [["--runs", "1e1"], /--runs is a number/],
      [["--runs", "101"], /--runs is a number/],
      [["--busy", "2"], /--busy is at most --runs, 1, not 2/],
      [["--rows", "click"], /"--rows click" is not understood/],
    ];
    for (const [args, message] of refused) {
      assert.throws(
        () => read(...args),
        (error) => error instanceof BenchOptionsError && message.test(error.message),
      );
    }
  });
});
