import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";

/** The folders of src from top to bottom: each may import itself and what lies below it. */
const layers = [
  ["ui", "webview"],
  ["desk", "protocol"],
  ["exchange", "storage", "hub"],
  ["market", "files"],
];

/** Files that compose the rest, or that the top shares, and what they may import. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "extension.ts": ["contributions.ts", ...layers.flat(), "practice"],
  "contributions.ts": [],
  "practice/cli.ts": ["practice", "storage", "market", "files"],
};

const layerOf = (place: string): number => layers.findIndex((layer) => layer.includes(place));

/** Where a file of src belongs: its folder, or its own name when it lies in src itself. */
const placeOf = (file: string): string => file.split("/", 1)[0] ?? file;

function allowedIn(file: string): readonly string[] {
  const place = placeOf(file);
  const exception = exceptions[file];
  if (exception !== undefined) return exception;
  if (place === "practice") return ["practice", "market", "files"];
  if (layerOf(place) === -1) return [];
  const below = layers.slice(layerOf(place) + 1).flat();
  return [place, ...below, ...(place === "ui" ? ["contributions.ts"] : [])];
}

function importsOf(source: string): string[] {
  const statement = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g;
  return [...source.matchAll(statement)].flatMap(([, specifier]) => specifier ?? []);
}

/** What is wrong with the imports of one file; `file` is its path from src. */
function violations(file: string, source: string): string[] {
  const place = placeOf(file);
  const known = place in exceptions || place === "practice" || layerOf(place) !== -1;
  const wrong = importsOf(source).filter((specifier) => {
    if (specifier.startsWith(".")) {
      const target = posix.join(posix.dirname(file), specifier);
      return !allowedIn(file).includes(placeOf(target));
    }
    if (specifier === "vscode") return place !== "ui" && file !== "extension.ts";
    if (place === "market") return specifier !== "big.js";
    return place === "webview" && isBuiltin(specifier);
  });
  return [
    ...(known ? [] : [`${file} lies in no layer`]),
    ...wrong.map((specifier) => `${file} must not import ${specifier}`),
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
    ["desk/orders/orderPlacer.ts", 'import * as vscode from "vscode";'],
    ["desk/orders/orderPlacer.ts", 'export { form } from "../../ui/ticket/form.ts";'],
    ["desk/orders/orderPlacer.ts", 'import { schema } from "../../protocol/bidForm.ts";'],
    ["exchange/client.ts", 'const server = await import("../practice/http/server.ts");'],
    ["ui/venue/practiceVenue.ts", 'import "../../practice/http/server.ts";'],
    ["ui/ticket/bidPanel.ts", 'import { draw } from "../../webview/ticket/view.ts";'],
    ["hub/protocol.ts", 'import type { Ticker } from "../exchange/client.ts";'],
    ["hub/hub.ts", 'import type { Timers } from "../desk/time/timers.ts";'],
    ["storage/orders/orderJournal.ts", 'import { openHub } from "../../hub/hub.ts";'],
    ["practice/http/server.ts", 'import { sign } from "../../exchange/signing/signature.ts";'],
    ["practice/account/ledger.ts", 'import { AppendLog } from "../../storage/appendLog.ts";'],
    ["webview/ticket/page.ts", 'import { format } from "util";'],
    ["ui/tree.ts", 'import { activate } from "../extension.ts";'],
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
    ["extension.ts", 'const practice = await import("./practice/embedded.ts");'],
    ["practice/cli.ts", 'import { AppendLog } from "../storage/appendLog.ts";'],
    ["practice/directoryLock.ts", 'import { NumberedLock } from "../files/numberedLock.ts";'],
    ["hub/lease.ts", 'import { NumberedLock } from "../files/numberedLock.ts";'],
  ] as const)
    it(`allow ${source.split("\n", 1)[0]} in ${file}`, () => {
      assert.deepEqual(violations(file, source), []);
    });
});

function longerThan(lines: number, pattern: string): string[] {
  return globSync(pattern).filter((file) => readFileSync(file, "utf8").trimEnd().split("\n").length > lines);
}

describe("Source files", () => {
  it("have at most 400 lines", () => {
    assert.deepEqual(longerThan(400, "{src,test,tools}/**/*.{ts,mjs,cjs,js}"), []);
  });

  it("leave the entry point at most 80 lines, for it decides nothing", () => {
    assert.deepEqual(longerThan(80, "src/extension.ts"), []);
  });
});
