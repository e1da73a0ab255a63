import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build, context } from "esbuild";
import { readCommandLine } from "./tools/commandLine.ts";

const flag = { type: "boolean" };
const {
  values: { production = false, watch = false, metafile = false },
} = readCommandLine({
  usage: `Usage: npm run build -- [--production] [--metafile]
       npm run watch -- [--production]

Builds everything that ships (dist/extension.js, dist/mcp.js, dist/webview/) and the editor's test suite (dist/test/).

  --production   minified, without source maps
  --metafile     also writes dist/meta.json: what went into each file
  --watch        builds again at every change, until Ctrl-C
  --help         prints this`,
  options: { production: flag, watch: flag, metafile: flag },
});

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "inline",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** CommonJS for the extension host. "http" and "https" stay bare: the editor's proxy support replaces exactly these names. */
const host = {
  ...common,
  platform: "node",
  target: "node22",
  format: "cjs",
  external: ["vscode", "mocha"],
  // "ws" would ask for these two packages, which do not ship: another program's package of the name would be loaded.
  define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
};

/**
 * esbuild copies all names of the editor's API, about 430, for each file that imports it. This object inherits the names, so
 * that there is none to copy: a fifth of the CPU time that loading takes.
 */
const inheritApi = `"use strict"; {
  const load = require, vscode = Object.create(load("vscode"));
  require = (name) => (name === "vscode" ? vscode : load(name));
}`;

const bundles = [
  // One file. A module that only an `import()` names is in it too, and is evaluated at the first `import()`.
  { ...host, entryPoints: ["src/extension.ts"], outdir: "dist", banner: { js: inheritApi } },
  // A program of its own: the server for assistants outside the extension host.
  { ...host, entryPoints: { mcp: "src/mcp/cli.ts" }, outdir: "dist" },
  {
    ...common,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: globSync("src/webview/{*.css,*/page.*}"),
    outbase: "src/webview",
    loader: { ".html": "copy" },
    outdir: "dist/webview",
  },
  {
    ...host,
    minify: false,
    entryPoints: ["test/editor/suite.ts", ...globSync("test/editor/*.test.ts")],
    outbase: "test",
    outdir: "dist/test",
  },
];

/** Replaces a file in one step: another build, or a program that reads the file, never finds a part of it. */
function replaceFile(path, content) {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

if (watch) {
  for (const bundle of bundles) await (await context(bundle)).watch();
  console.log("Built; building again at every change. Ctrl-C ends it.");
} else {
  const results = await Promise.all(bundles.map((bundle) => build({ ...bundle, write: false })));
  const files = results.flatMap(({ outputFiles }) => outputFiles);
  for (const { path, contents } of files) replaceFile(path, contents);
  if (metafile) {
    const inputs = Object.assign({}, ...results.map((result) => result.metafile.inputs));
    const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
    replaceFile("dist/meta.json", JSON.stringify({ inputs, outputs }));
  }
  // Files of an earlier build, such as a test that was renamed: the editor's suite runs every file of its folder.
  const built = new Set(files.map(({ path }) => path));
  for (const file of globSync("dist/**/*.{js,css,html,map}"))
    if (!built.has(resolve(file))) rmSync(file, { force: true });
}
