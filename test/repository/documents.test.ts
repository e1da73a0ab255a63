import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { shippedReadme } from "../../tools/packageExtension.ts";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

/** Whether a test of this name exists: a file, with its ending or without, or a folder. "…" is an omitted part. */
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

  it("names safety lines that have a test", () => {
    const named = [
      ...text("SECURITY.md").matchAll(/(?<![A-Za-z])Lines? (\d+(?:(?:, | and | to )\d+)*)/g),
    ].flatMap(([, numbers = ""]) => numbers.match(/\d+/g) ?? []);
    assert.ok(named.length > 10, `${named.length} found`);
    for (const line of named) assert.ok(isThere(`test/safety/${line.padStart(2, "0")}-….test.ts`), line);
  });
});

describe("docs/windows.md", () => {
  it("lists every message that windows send each other", () => {
    const sent = [...text("src/hub/protocol.ts").matchAll(/type: z\.literal\("(\w+)"\)/g)];
    const rows = [
      ...text("docs/windows.md").matchAll(/^\| (?:the leader|any window|a follower)\s*\| `(\w+)`/gm),
    ];
    const namesOf = (found: readonly RegExpMatchArray[]): string[] =>
      found.map(([, name = ""]) => name).sort();
    assert.ok(sent.length > 10);
    assert.deepEqual(namesOf(rows), namesOf(sent));
  });
});

describe("README.md", () => {
  it("shows pictures that exist, and are sharp on a screen with two device pixels for each pixel", async () => {
    const shown = [...text("README.md").matchAll(/\]\((media\/[^)\s]+)/g)].map(([, name]) => name ?? "");
    assert.ok(shown.length > 0);
    for (const name of shown) {
      const { width } = await sharp(fileURLToPath(new URL(name, root))).metadata();
      assert.ok(width > 1000, `${name} has ${width} pixels`);
    }
  });

  it("does not send people who installed the extension to its source, and shows them its pictures if those are public", () => {
    const readme = text("README.md");
    const [shipped, plain] = [shippedReadme(readme, true), shippedReadme(readme, false)];
    assert.match(readme, /npm start/);
    assert.doesNotMatch(shipped, /npm |clone/);
    assert.match(shipped, /^!\[/m);
    assert.doesNotMatch(plain, /^!\[/m);
    assert.match(plain, /## Go live[^]*## More/);
  });
});

describe("media/", () => {
  it("has at most 3.5 MB, and no picture that nothing shows", () => {
    const files = globSync("media/**/*.{png,gif}", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    const bytes = files.reduce((sum, file) => sum + statSync(new URL(file, root)).size, 0);
    assert.ok(bytes <= 3_500_000, `${bytes} bytes`);
    const shownIn = text("README.md") + text("package.json");
    assert.deepEqual(
      files.filter((file) => !shownIn.includes(file)),
      [],
    );
  });
});

/** The pages for people who work on the code. */
const pages = ["CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })].map((file) =>
  file.replaceAll("\\", "/"),
);

/** The text of a page outside its blocks of code, which are examples. */
const prose = (file: string): string => text(file).replaceAll(/^```[^]*?^```$/gm, "");

/** Everything in code style: `src/desk/feeds/poll.ts`, `Hub.checkLead`. */
const inCode = (file: string): string[] =>
  [...prose(file).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? "");

/** The anchors of a page's headings, as the repository's site makes them. */
const anchors = (file: string): string[] =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

/** Whether a relative link of `file` leads to a file or a folder, and to a heading if it names one. */
function resolves(file: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? file : posix.join(posix.dirname(file), path);
  return existsSync(new URL(target, root)) && (anchor === undefined || anchors(target).includes(anchor));
}

describe("a page for contributors", () => {
  const sources = ["{src,test,tools}/**/*.{ts,mjs,cjs}", "*.{json,mjs}"]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map(text)
    .join("\n");

  it("exists", () => {
    for (const page of ["docs/architecture.md", "docs/decisions/bare-https.md"])
      assert.ok(pages.includes(page));
  });

  for (const file of pages) {
    it(`names paths that exist: ${file}`, () => {
      // A path with a mark like "*" is a pattern, and a path with "NAME" is an example.
      const named = [
        ...text(file).matchAll(
          /(?<![\w./-])(?:src|test|tools|media|docs|\.github|\.vscode)\/[\w./-]*\w\b\/?(?![*…\w])/g,
        ),
      ].map(([path]) => path);
      assert.deepEqual(
        named.filter((path) => !existsSync(new URL(path, root))),
        [],
      );
    });

    it(`names parts of the code that exist: ${file}`, () => {
      const names = inCode(file)
        .filter((code) => /^[A-Za-z]\w*(?:\.#?\w+)?$/.test(code) && /[a-z][A-Z]|^[A-Z][a-z]|_/.test(code))
        .flatMap((code) => code.split("."));
      assert.deepEqual(
        names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources)),
        [],
      );
    });

    it(`has links that resolve: ${file}`, () => {
      const links = [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
      assert.deepEqual(
        links.filter((link) => !/^https?:/.test(link) && !resolves(file, link)),
        [],
      );
    });
  }
});
