import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { packaged } from "../../tools/packageExtension.ts";

/** The file that the editor loads first. All other code of the extension host is in one file beside it. */
const MAX_KB_OF_ENTRY = 10;

/** Every file that ships. A new picture or translation is added here by hand: nothing ships by accident. */
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "NOTICE",
  "README.md",
  "dist/app.js",
  "dist/extension.js",
  "dist/mcp.js",
  "dist/webview/chart/page.css",
  "dist/webview/chart/page.html",
  "dist/webview/chart/page.js",
  "dist/webview/exchange/page.css",
  "dist/webview/exchange/page.html",
  "dist/webview/exchange/page.js",
  "dist/webview/portfolio/page.css",
  "dist/webview/portfolio/page.html",
  "dist/webview/portfolio/page.js",
  "dist/webview/ticket/page.css",
  "dist/webview/ticket/page.html",
  "dist/webview/ticket/page.js",
  "l10n/bundle.l10n.json",
  "media/bidside-dark.svg",
  "media/bidside-light.svg",
  "media/bidside.svg",
  "media/icon.png",
  "media/walkthrough/alert-dark.png",
  "media/walkthrough/alert-light.png",
  "media/walkthrough/bid-dark.png",
  "media/walkthrough/bid-light.png",
  "media/walkthrough/chart-dark.png",
  "media/walkthrough/chart-light.png",
  "media/walkthrough/lists-dark.png",
  "media/walkthrough/lists-light.png",
  "media/walkthrough/live-dark.png",
  "media/walkthrough/live-light.png",
  "media/walkthrough/portfolio-dark.png",
  "media/walkthrough/portfolio-light.png",
  "media/walkthrough/watch-dark.png",
  "media/walkthrough/watch-light.png",
  "package.json",
  "package.nls.json",
  "schemas/profile.json",
];

/**
 * Loads the files of its arguments with an editor API that does nothing. Prints every module that each of them
 * requested, and how often the names of the API were listed.
 */
const LOAD = `
const Module = require("node:module");
const hollow = new Proxy(class {}, { get: (target, key) => key === "prototype" ? target.prototype : hollow, apply: () => hollow, construct: () => ({}) });
let listings = 0;
const editor = new Proxy(Object.create(hollow), { ownKeys: () => { listings += 1; return []; } });
const load = Module._load;
let asked;
Module._load = (request, ...rest) => {
  asked.push(request);
  return request === "vscode" ? editor : load(request, ...rest);
};
const files = process.argv.slice(1).map((file) => {
  asked = [];
  require(file);
  return asked.slice(1);
});
console.log(JSON.stringify({ files, listings }));
`;

/** Where the text of each licence begins and ends. */
const LICENCE_TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  MIT: ["Permission is hereby granted", "DEALINGS IN THE SOFTWARE."],
  Apache: ["TERMS AND CONDITIONS FOR USE", "END OF TERMS AND CONDITIONS"],
  "BSD-3-Clause": ["Redistribution and use in source", "POSSIBILITY OF SUCH DAMAGE."],
};

describe("The package", () => {
  let shipped: string[];

  before(async () => {
    await packaged();
    shipped = (await listFiles({ cwd: ".", packageManager: PackageManager.None }))
      .map((file) => file.replaceAll("\\", "/"))
      .sort();
  });

  it("ships exactly the files for users", () => {
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

  it("has no code of the tests, and so no request of theirs", () => {
    const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { inputs: Record<string, unknown> }>;
    };
    const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    assert.ok(inputs.length > 100);
    assert.deepEqual(
      inputs.filter((input) => !/^(src|node_modules)\//.test(input)),
      [],
    );
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
      const [, licence] = /^\S+ \(https:\/\/\S+\), (MIT|Apache|BSD-3-Clause) License/.exec(heading) ?? [];
      assert.ok(licence, heading);
      assert.match(text.join("\n"), /^Copyright \(c\) \d{4} \S/m, heading);
      const [beginning = "", end = ""] = LICENCE_TEXTS[licence] ?? [];
      const line = notice.replaceAll(/\s+/g, " ");
      assert.ok(line.indexOf(beginning) > 0 && line.indexOf(end) > line.indexOf(beginning), heading);
    }
  });

  describe("has code for the editor that", () => {
    const [entry, app] = ["extension.js", "app.js"];
    const code = (): string =>
      [entry, app].map((file) => readFileSync(join("dist", file), "utf8")).join("\n");
    let folder: string;
    /** The modules that each file requests when it is loaded in a folder without the project's other files. */
    let atLoad: { readonly files: readonly (readonly string[])[]; readonly listings: number };

    before(() => {
      folder = mkdtempSync(join(tmpdir(), "bidside-bundle-"));
      for (const file of [entry, app]) cpSync(join("dist", file), join(folder, file));
      const paths = [entry, app].map((file) => join(folder, file));
      const printed = execFileSync(process.execPath, ["--eval", LOAD, ...paths], {
        cwd: folder,
        encoding: "utf8",
      });
      atLoad = JSON.parse(printed) as typeof atLoad;
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it(`is an entry of at most ${MAX_KB_OF_ENTRY} KB, which loads nothing but the editor's API`, () => {
      const kilobytes = statSync(join("dist", entry)).size / 1000;
      assert.ok(kilobytes <= MAX_KB_OF_ENTRY, `${kilobytes} KB`);
      assert.deepEqual(atLoad.files[0], ["vscode"]);
    });

    it("is one more file, which the entry requires when it is activated", () => {
      const named = [...code().matchAll(/\brequire\("(\.[^"]*)"\)/g)].map(([, name]) => name);
      assert.deepEqual(named, [`./${app}`]);
    });

    it("needs only these files, the editor's API and the modules of Node", () => {
      const named = [...code().matchAll(/\brequire\("([^".]*)"\)/g)].map(([, name = ""]) => name);
      assert.deepEqual(
        [...named, ...atLoad.files.flat()].filter((name) => name !== "vscode" && !isBuiltin(name)),
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
