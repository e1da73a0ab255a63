import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** Our own programs, each with the shortest script that runs it; the other commands are the command lines of tools. */
const own = new Map(
  Object.entries(scripts)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([name, command]) => {
      const [, words] = /^node tools\/bootstrap\.mjs (.+)$/.exec(command) ?? [];
      return words === undefined ? [] : [[words.split(" ", 1)[0], { name, words: words.split(" ") }]];
    }),
);

function call(words: readonly string[]): { code: number | null; output: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return { code: status, output: stdout, error: stderr };
}

describe("The command line", () => {
  it("is tested for all of our own programs", () => assert.ok(own.size > 8, `${own.size} found`));

  for (const { name, words } of own.values()) {
    it(`of npm run ${name} prints its usage on --help, and does nothing else`, () => {
      const { code, output } = call([...words, "--help"]);
      assert.equal(code, 0);
      assert.match(output, /^(Usage: )?npm (run \S+|start|test)\b/);
      assert.match(output, /^ {2}--\w+ {2,}\S|^ {2}--\w+ [A-Z]+ {2,}\S/m);
    });

    it(`of npm run ${name} refuses an unknown argument in one sentence`, () => {
      const { code, output, error } = call([...words, "--nonsense"]);
      assert.equal(code, 2);
      assert.equal(output, "");
      assert.match(error, /^[^\n]*--nonsense[^\n]*\n$/);
    });
  }
});
