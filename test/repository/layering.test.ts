import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";

/** The folders of src from top to bottom: each may import itself and the folders below it. */
const layers = [
  ["ui", "webview", "mcp"],
  ["assistant"],
  ["desk", "protocol"],
  ["exchange", "storage", "hub"],
  ["market", "files", "http"],
  ["time"],
];

/** Files that compose the rest, or that the top shares, and their allowed imports. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "extension.ts": ["app.ts", "desk"],
  "app.ts": ["contributions.ts", "ports.ts", ...layers.flat()],
  "ports.ts": ["contributions.ts", "practice", ...layers.flat()],
  "contributions.ts": [],
  "practice/cli.ts": ["practice", "storage", "market", "files", "time"],
};

/** The files beside the folder `ui` that use the editor's API. */
const usesEditor = new Set(["extension.ts", "app.ts", "ports.ts"]);

const layerOf = (place: string): number => layers.findIndex((layer) => layer.includes(place));

/** The place of a file of src: its folder, or its own name if the file is in src itself. */
const placeOf = (file: string): string => file.split("/", 1)[0] ?? file;

function allowedIn(file: string): readonly string[] {
  const place = placeOf(file);
  const exception = exceptions[file];
  if (exception !== undefined) return exception;
  if (place === "practice") return ["practice", "market", "files", "time"];
  if (place === "market") return ["market"];
  if (layerOf(place) === -1) return [];
  const below = layers.slice(layerOf(place) + 1).flat();
  return [place, ...below, ...(place === "ui" ? ["contributions.ts"] : [])];
}

function importsOf(source: string): string[] {
  const statement = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g;
  return [...source.matchAll(statement)].flatMap(([, specifier]) => specifier ?? []);
}

/** The problems of one file's imports; `file` is its path from src. */
function violations(file: string, source: string): string[] {
  const place = placeOf(file);
  const known = place in exceptions || place === "practice" || layerOf(place) !== -1;
  const wrong = importsOf(source).filter((specifier) => {
    if (specifier.startsWith(".")) {
      const target = posix.join(posix.dirname(file), specifier);
      return !allowedIn(file).includes(placeOf(target));
    }
    if (specifier === "vscode") return place !== "ui" && !usesEditor.has(file);
    if (place === "market") return specifier !== "big.js";
    return place === "webview" && isBuiltin(specifier);
  });
  return [
    ...(known ? [] : [`${file} lies in no layer`]),
    ...wrong.map((specifier) => `${file} must not import ${specifier}`),
    // The extension is two files: the entry, which loads the app once, and the app.
    ...(file !== "extension.ts" && /\bimport\s*\(/.test(source) ? [`${file} must not load code later`] : []),
  ];
}

describe("The layers", () => {
  const files = globSync("**/*.ts", { cwd: "src" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.endsWith(".d.ts"));

  it("are kept by every import of every source file", () => {
    assert.ok(files.includes("market/numbers/decimal.ts"));
    assert.deepEqual(
      files.flatMap((file) => violations(file, readFileSync(`src/${file}`, "utf8"))),
      [],
    );
  });

  for (const [file, source] of [
    ["market/pair.ts", 'import { readFile } from "node:fs/promises";'],
    ["market/pair.ts", 'import type { Client } from "../exchange/client.ts";'],
    ["market/pair.ts", 'import { hasCode } from "../files/hasCode.ts";'],
    ["files/numberedLock.ts", 'import type { Pair } from "../market/pair.ts";'],
    ["http/transport.ts", 'import { NotSentError } from "../exchange/errors.ts";'],
    ["practice/http/server.ts", 'import { isLoopback } from "../../http/loopback.ts";'],
    ["desk/orders/orderPlacer.ts", 'import * as vscode from "vscode";'],
    ["desk/orders/orderPlacer.ts", 'export { form } from "../../ui/ticket/form.ts";'],
    ["desk/orders/orderPlacer.ts", 'import { schema } from "../../protocol/ticket.ts";'],
    ["exchange/client.ts", 'import { startPractice } from "../practice/http/server.ts";'],
    ["exchange/client.ts", 'const { sign } = await import("./signing/signature.ts");'],
    ["app.ts", 'const { Desk } = await import("./desk/desk.ts");'],
    ["ui/venue/practiceVenue.ts", 'import "../../practice/http/server.ts";'],
    ["ui/ticket/ticketPanel.ts", 'import { draw } from "../../webview/ticket/view.ts";'],
    ["assistant/assistant.ts", 'import * as vscode from "vscode";'],
    ["desk/desk.ts", 'import type { Assistant } from "../assistant/assistant.ts";'],
    ["hub/protocol.ts", 'import type { Ticker } from "../exchange/client.ts";'],
    ["hub/hub.ts", 'import { WakeDetector } from "../desk/time/wakeDetector.ts";'],
    ["storage/orders/orderJournal.ts", 'import { openHub } from "../../hub/hub.ts";'],
    ["practice/http/server.ts", 'import { sign } from "../../exchange/signing/signature.ts";'],
    ["practice/account/ledger.ts", 'import { AppendLog } from "../../storage/appendLog.ts";'],
    ["webview/ticket/page.ts", 'import { format } from "util";'],
    ["ui/tree.ts", 'import { activate } from "../extension.ts";'],
    ["ui/tree.ts", 'import { start } from "../app.ts";'],
    ["extension.ts", 'import { Markets } from "./ui/markets/markets.ts";'],
    ["helpers/text.ts", ""],
  ] as const)
    it(`would be broken by ${source || "a new folder"} in ${file}`, () => {
      assert.equal(violations(file, source).length, 1);
    });

  for (const [file, source] of [
    ["market/numbers/decimal.ts", 'import Big from "big.js";'],
    ["ui/tree.ts", 'import * as vscode from "vscode";\nimport { views } from "../contributions.ts";'],
    ["ui/tree.ts", 'import { Pair } from "../market/pair.ts";'],
    ["desk/windows/windows.ts", 'import type { Hub } from "../../hub/hub.ts";'],
    ["extension.ts", 'const { start } = await import("./app.ts");'],
    ["ports.ts", 'import { openPractice } from "./practice/embedded.ts";'],
    ["practice/cli.ts", 'import { AppendLog } from "../storage/appendLog.ts";'],
    ["practice/directoryLock.ts", 'import { NumberedLock } from "../files/numberedLock.ts";'],
    ["hub/lease.ts", 'import { NumberedLock } from "../files/numberedLock.ts";'],
  ] as const)
    it(`allow ${source.split("\n", 1)[0]} in ${file}`, () => {
      assert.deepEqual(violations(file, source), []);
    });
});

/**
 * The circles in the imports of some files, as paths: `a.ts → b.ts → a.ts`. A type import or a dynamic import counts
 * like any other. `sources` has the text of each file by its path.
 */
function circles(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (seen.has(file)) return;
    seen.add(file);
    for (const specifier of importsOf(sources.get(file) ?? "")) {
      const target = posix.join(posix.dirname(file), specifier);
      if (specifier.startsWith(".") && sources.has(target)) follow(target, [...way, file]);
    }
  };
  for (const file of sources.keys()) follow(file, []);
  return found;
}

describe("The imports", () => {
  it("make no circle in code, tests and tools", () => {
    const files = globSync("{src,test,tools}/**/*.{ts,mjs}").map((file) => file.replaceAll("\\", "/"));
    assert.ok(files.length > 400, `${files.length} found`);
    assert.deepEqual(circles(new Map(files.map((file) => [file, readFileSync(file, "utf8")]))), []);
  });

  for (const [kind, source] of [
    ["static", 'import { b } from "./b.ts";'],
    ["static, of several lines", 'import {\n  b,\n} from "./b.ts";'],
    ["type", 'import type { B } from "./b.ts";'],
    ["type in place", 'let b: import("./b.ts").B;'],
    ["dynamic", 'const { b } = await import("./b.ts");'],
    ["passed on", 'export { b } from "./b.ts";'],
  ])
    it(`would make a circle by one import of this kind: ${kind}`, () => {
      const others = [
        ["x/b.ts", 'import { c } from "../c.ts";'],
        ["c.ts", 'import type { A } from "./x/a.ts";'],
      ] as const;
      assert.deepEqual(circles(new Map([["x/a.ts", source ?? ""], ...others])), [
        "x/a.ts → x/b.ts → c.ts → x/a.ts",
      ]);
      assert.deepEqual(circles(new Map([["x/a.ts", ""], ...others])), []);
    });
});
