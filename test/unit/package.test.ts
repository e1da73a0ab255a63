import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { listFiles, PackageManager } from "@vscode/vsce";
import { buildAndPackage } from "../support/packageExtension.ts";

/** Every file that ships, beside the code's chunks. A new picture or translation is added here by hand: nothing ships by accident. */
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "README.md",
  "dist/extension.js",
  "dist/webview/bidForm.js",
  "dist/webview/chart.js",
  "l10n/bundle.l10n.json",
  "media/bidForm.css",
  "media/bidForm.html",
  "media/bidside-dark.svg",
  "media/bidside-light.svg",
  "media/bidside.svg",
  "media/chart.css",
  "media/chart.html",
  "media/icon.png",
  "media/screenshot.png",
  "media/walkthrough/bid.md",
  "media/walkthrough/key.md",
  "media/walkthrough/live.md",
  "media/walkthrough/watch.md",
  "package.json",
  "package.nls.json",
];

const isChunk = (file: string): boolean => /^dist\/chunks\/[\w-]+-[A-Z0-9]{8}\.js$/.test(file);

describe("The package", () => {
  let shipped: string[];

  before(async function () {
    this.timeout(60_000);
    await buildAndPackage();
    shipped = (await listFiles({ cwd: ".", packageManager: PackageManager.None }))
      .map((file) => file.replaceAll("\\", "/"))
      .sort();
  });

  it("ships exactly the files that are meant for users", () => {
    assert.deepEqual(
      shipped.filter((file) => !isChunk(file)),
      files,
    );
  });

  it("is picked by an allow-list", () => {
    const [first, ...rest] = readFileSync(".vscodeignore", "utf8").trim().split("\n");
    assert.equal(first, "**");
    assert.deepEqual(
      rest.filter((line) => !line.startsWith("!")),
      [],
    );
  });

  it("ships no source map, no test and no key", () => {
    for (const file of shipped.filter((name) => /\.(js|json|md|css|svg)$/.test(name))) {
      assert.doesNotMatch(file, /\.map$|test/);
      const text = readFileSync(file, "utf8");
      assert.doesNotMatch(
        text,
        /sourceMappingURL|-----BEGIN [A-Z ]*PRIVATE KEY|\bnpm_[A-Za-z0-9]{36}\b/,
        file,
      );
    }
  });

  it("keeps http and https as the specifiers that the editor's proxy support replaces", () => {
    const code = ["dist/extension.js", ...shipped.filter(isChunk)].map((file) => readFileSync(file, "utf8"));
    assert.ok(code.some((text) => /require\("https"\)/.test(text)));
    for (const text of code) assert.doesNotMatch(text, /"node:https"|import\(/);
  });
});
