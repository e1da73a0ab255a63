import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { packaged } from "../support/packageExtension.ts";

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
  "media/page.css",
  "media/screenshot.png",
  "media/walkthrough/bid-dark.png",
  "media/walkthrough/bid-light.png",
  "media/walkthrough/chart-dark.png",
  "media/walkthrough/chart-light.png",
  "media/walkthrough/live-dark.png",
  "media/walkthrough/live-light.png",
  "media/walkthrough/watch-dark.png",
  "media/walkthrough/watch-light.png",
  "package.json",
  "package.nls.json",
];

const isChunk = (file: string): boolean => /^dist\/chunks\/[\w-]+-[A-Z0-9]{8}\.js$/.test(file);

describe("The package", () => {
  let shipped: string[];

  before(async function () {
    this.timeout(60_000);
    await packaged();
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

  it("gives notice of every package in its code, and of no other: its copyright and its licence's text", () => {
    const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { inputs: Record<string, unknown> }>;
    };
    const bundled = Object.entries(outputs)
      .filter(([file]) => !file.startsWith("dist/test/"))
      .flatMap(([, { inputs }]) => Object.keys(inputs))
      .flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1] ?? []);
    const [, ...notices] = readFileSync("NOTICE", "utf8").split(/^-{100}\n/m);
    const names = notices.map((notice) => notice.split(" ", 1)[0]);
    assert.deepEqual([...names].sort(), [...new Set(bundled)].sort());
    for (const notice of notices) {
      const [heading = "", ...text] = notice.split("\n");
      const [, licence] = /^\S+ \(https:\/\/\S+\), (MIT|Apache) License/.exec(heading) ?? [];
      assert.ok(licence, heading);
      assert.match(text.join("\n"), /^Copyright \(c\) \d{4} \S/m, heading);
      const [beginning, end] =
        licence === "MIT"
          ? ["Permission is hereby granted", "DEALINGS IN THE\nSOFTWARE."]
          : ["TERMS AND CONDITIONS FOR USE", "END OF TERMS AND CONDITIONS"];
      assert.ok(notice.indexOf(beginning) > 0 && notice.indexOf(end) > notice.indexOf(beginning), heading);
    }
  });

  it("holds every file that its code loads, at the place where that looks for it", () => {
    let loads = 0;
    for (const file of shipped.filter((name) => /^dist\/(?!webview)/.test(name))) {
      for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/\brequire\("(\.[^"]*)"\)/g)) {
        assert.ok(shipped.includes(posix.join(posix.dirname(file), path)), `${file} loads ${path}`);
        loads += 1;
      }
    }
    assert.ok(loads > 20, `${loads} loads`);
  });

  it("keeps http and https as the specifiers that the editor's proxy support replaces", () => {
    const code = ["dist/extension.js", ...shipped.filter(isChunk)].map((file) => readFileSync(file, "utf8"));
    assert.ok(code.some((text) => /require\("https"\)/.test(text)));
    for (const text of code) assert.doesNotMatch(text, /"node:https"|import\(/);
  });
});
