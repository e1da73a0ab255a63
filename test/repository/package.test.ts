import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { packaged } from "../../tools/packageExtension.ts";

/** A third of the time of the start is compiling: code that only a click or a visible view needs belongs in `src/late.ts`. */
const MOST_KB_AT_START = 160;

/** Every file that ships. A new picture or translation is added here by hand: nothing ships by accident. */
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "README.md",
  "dist/extension.js",
  "dist/late.js",
  "dist/mcp.js",
  "dist/shared.js",
  "dist/webview/chart/page.css",
  "dist/webview/chart/page.html",
  "dist/webview/chart/page.js",
  "dist/webview/exchange/page.css",
  "dist/webview/exchange/page.html",
  "dist/webview/exchange/page.js",
  "dist/webview/ticket/page.css",
  "dist/webview/ticket/page.html",
  "dist/webview/ticket/page.js",
  "l10n/bundle.l10n.json",
  "media/bidside-dark.svg",
  "media/bidside-light.svg",
  "media/bidside.svg",
  "media/icon.png",
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

/**
 * Loads the file of its argument with an editor API that does nothing. Prints every module that was requested
 * by the file, and how often the names of the API were listed.
 */
const LOAD = `
const Module = require("node:module");
const hollow = new Proxy(class {}, { get: (target, key) => key === "prototype" ? target.prototype : hollow, apply: () => hollow, construct: () => ({}) });
let listings = 0;
const editor = new Proxy(Object.create(hollow), { ownKeys: () => { listings += 1; return []; } });
const load = Module._load;
const asked = [];
Module._load = (request, ...rest) => {
  asked.push(request);
  return request === "vscode" ? editor : load(request, ...rest);
};
require(process.argv[1]);
console.log(JSON.stringify({ asked: asked.slice(1), listings }));
`;

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
    assert.deepEqual(shipped, files);
  });

  it("is selected by an allow-list", () => {
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

  it("has a notice with copyright and licence for exactly the packages in its code", () => {
    const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { inputs: Record<string, unknown> }>;
    };
    const bundled = Object.values(outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
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
          ? ["Permission is hereby granted", "DEALINGS IN THE SOFTWARE."]
          : ["TERMS AND CONDITIONS FOR USE", "END OF TERMS AND CONDITIONS"];
      const line = notice.replaceAll(/\s+/g, " ");
      assert.ok(line.indexOf(beginning) > 0 && line.indexOf(end) > line.indexOf(beginning), heading);
    }
  });

  describe("has code for the editor that", () => {
    /** The files of the extension: the one that is loaded at the start, and the two that it requires. */
    const parts = ["extension.js", "late.js", "shared.js"];
    const code = (): string => parts.map((file) => readFileSync(join("dist", file), "utf8")).join("\n");
    const isOwn = (name: string): boolean => parts.some((file) => name === `./${file}`);
    let folder: string;
    /** The modules that the code requests when it is loaded in a folder without the project's other files. */
    let atLoad: { readonly asked: readonly string[]; readonly listings: number };

    before(() => {
      folder = mkdtempSync(join(tmpdir(), "bidside-bundle-"));
      for (const file of parts) cpSync(join("dist", file), join(folder, file));
      const printed = execFileSync(process.execPath, ["--eval", LOAD, join(folder, "extension.js")], {
        cwd: folder,
        encoding: "utf8",
      });
      atLoad = JSON.parse(printed) as typeof atLoad;
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("needs only its own files, the editor's API and the modules of Node", () => {
      const named = [...code().matchAll(/\brequire\("([^"]*)"\)/g)].map(([, name = ""]) => name);
      assert.ok(named.includes("vscode") && atLoad.asked.includes("vscode"));
      assert.deepEqual(
        [...named, ...atLoad.asked].filter((name) => name !== "vscode" && !isBuiltin(name) && !isOwn(name)),
        [],
      );
    });

    it("does not load its late parts at the start", () => {
      assert.deepEqual(atLoad.asked.filter(isOwn), ["./shared.js"]);
      assert.ok(code().includes('require("./late.js")'));
    });

    it(`loads at most ${MOST_KB_AT_START} KB at the start`, () => {
      const bytes = ["extension.js", "shared.js"].map((file) => statSync(join("dist", file)).size);
      const kilobytes = bytes.reduce((sum, each) => sum + each) / 1000;
      assert.ok(kilobytes <= MOST_KB_AT_START, `${kilobytes} KB`);
    });

    it("evaluates the parts that speak HTTP at their first use, not at the start", () => {
      assert.deepEqual(
        atLoad.asked.filter((name) => /^(node:)?(https?|net|tls)$/.test(name)),
        [],
      );
    });

    it("evaluates the checks of foreign data at their first use, not at the start", () => {
      const { inputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
        inputs: Record<string, { imports: { path: string; kind: string }[] }>;
      };
      const atStart = new Set(["src/extension.ts"]);
      for (const file of atStart)
        for (const { path, kind } of inputs[file]?.imports ?? [])
          if (kind !== "dynamic-import") atStart.add(path);
      assert.ok(Object.keys(inputs).some((file) => file.includes("node_modules/zod/")));
      assert.deepEqual(
        [...atStart].filter((file) => file.includes("node_modules/zod/")),
        [],
      );
    });

    it("does not copy the editor's API for each file that uses it", () => {
      assert.equal(atLoad.listings, 0);
    });

    it("keeps http and https as the names that the editor's proxy support replaces", () => {
      assert.match(code(), /require\("https"\)/);
      assert.doesNotMatch(code(), /"node:https"|import\(/);
    });
  });
});
