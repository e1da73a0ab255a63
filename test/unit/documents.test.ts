import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

/** Whether a test is there by the name that a document gives it: a file, with its ending or without, or a folder. "…" stands for what is left out. */
function isThere(name: string): boolean {
  const pattern = name.replace("…", "*");
  const found = globSync([pattern, `${pattern}.test.ts`], { cwd: root });
  return found.length > 0;
}

describe("SECURITY.md", () => {
  it("points to tests that exist", () => {
    const named = [...text("SECURITY.md").matchAll(/`(test\/[^`]+)`/g)].map(([, name]) => name ?? "");
    assert.ok(named.length > 10, `${named.length} found`);
    assert.deepEqual(
      named.filter((name) => !isThere(name)),
      [],
    );
  });

  it("names lines that are proved", () => {
    const named = [
      ...text("SECURITY.md").matchAll(/(?<![A-Za-z])Lines? (\d+(?:(?:, | and | to )\d+)*)/g),
    ].flatMap(([, numbers = ""]) => numbers.match(/\d+/g) ?? []);
    assert.ok(named.length > 10, `${named.length} found`);
    for (const line of named) assert.ok(isThere(`test/safety/${line.padStart(2, "0")}-….test.ts`), line);
  });
});

describe("README.md", () => {
  // U11
  it("says in its first ten lines what Bidside does not do, and for which exchanges it is", () => {
    const beginning = text("README.md").split("\n").slice(0, 10).join("\n");
    assert.match(beginning, /does not sell and does not cancel/);
    assert.match(beginning, /For which exchanges[^]*place-bid[^]*HMAC-SHA256/);
    assert.doesNotMatch(text("README.md"), /--port|npm run build/);
  });

  it("shows pictures that exist", () => {
    const shown = [...text("README.md").matchAll(/\]\((media\/[^)\s]+)/g)].map(([, name]) => name ?? "");
    assert.ok(shown.length > 0);
    assert.deepEqual(
      shown.filter((name) => !existsSync(new URL(name, root))),
      [],
    );
  });
});
