import { globSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { build, context } from "esbuild";
import { readCommandLine } from "./tools/commandLine.ts";
import { replaceFile } from "./tools/replaceFile.ts";

const flag = { type: "boolean" };
const {
  values: { production = false, watch = false, metafile = false, suite = false },
} = readCommandLine({
  usage: `Usage: npm run build (or watch) -- [--production] [--metafile] [--suite]

Builds everything that ships (dist/*.js, dist/webview/) and the editor's test suite (dist/test/).

  --production   minified, without source maps, without the suite
  --suite        only the suite
  --metafile     also writes dist/meta.json: what went into each file
  --watch        builds again at every change, until Ctrl-C
  --help         prints this`,
  options: { production: flag, watch: flag, metafile: flag, suite: flag },
});

const [minify, sourcemap] = production ? [true, false] : [false, "inline"];
const common = { bundle: true, minify, sourcemap, metafile, legalComments: "none", logLevel: "warning" };

/**
 * CommonJS for the extension host. "http" and "https" keep these names, because the editor's proxy support replaces no
 * others.
 */
const host = {
  ...common,
  platform: "node",
  target: "node22",
  format: "cjs",
  outdir: "dist",
  external: ["vscode", "mocha"],
  // "ws" would otherwise require these two packages, which do not ship, and could load another program's copy.
  define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
};

// esbuild copies all names of the editor's API, about 430, for each file that imports it. This object inherits them, so
// that none are copied, which saves a fifth of the CPU time of loading.
const banner = `"use strict"; {
  const load = require, vscode = Object.create(load("vscode"));
  require = (name) => (name === "vscode" ? vscode : load(name));
}`;

/**
 * Excludes modules that the MCP SDK imports only for unused features: prompts to the user, and schemas of older
 * libraries.
 */
const unusedBySdk = {
  name: "unused by the SDK",
  setup: ({ onLoad, onResolve, resolve }) => {
    onLoad({ filter: /[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
    onResolve(
      { filter: /^zod-to-json-schema$/ },
      async ({ path, kind, importer, pluginData, resolveDir }) => {
        if (pluginData === "found") return undefined;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: "found" });
        return { path: found.path, sideEffects: false };
      },
    );
  },
};

/** Makes the entry load the app at run time, from a file beside it. */
const appBesideEntry = {
  name: "the app beside the entry",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/app\.ts$/ }, () => ({ path: "./app.js", external: true })),
};

const shipped = [
  {
    ...host,
    entryPoints: ["src/extension.ts", "src/app.ts"],
    plugins: [appBesideEntry],
    supported: { "dynamic-import": false },
    banner: { js: banner },
  },
  // A separate program: the MCP server, which runs outside the extension host.
  { ...host, entryPoints: { mcp: "src/mcp/cli.ts" }, plugins: [unusedBySdk] },
  {
    ...common,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: globSync("src/webview/*/page.*"),
    outbase: "src/webview",
    loader: { ".html": "copy" },
    outdir: "dist/webview",
  },
];
/**
 * Each file of the suite contains a copy of the code that it tests, so building them takes longer than everything that
 * ships.
 */
const tests = {
  ...host,
  minify: false,
  entryPoints: ["test/editor/suite.ts", ...globSync("test/editor/*.test.ts")],
  outbase: "test",
  outdir: "dist/test",
};
const bundles = suite ? [tests] : production ? shipped : [...shipped, tests];

if (watch) {
  for (const bundle of bundles) await (await context(bundle)).watch();
  console.log("Built; building again at every change. Ctrl-C ends it.");
} else {
  const results = await Promise.all(bundles.map((bundle) => build({ ...bundle, write: false })));
  const files = results.flatMap(({ outputFiles }) => outputFiles);
  for (const { path, contents } of files) replaceFile(path, contents);
  if (metafile) {
    const all = (name) => Object.assign({}, ...results.map((result) => result.metafile[name]));
    replaceFile("dist/meta.json", JSON.stringify({ inputs: all("inputs"), outputs: all("outputs") }));
  }
  // Removes files of earlier builds, such as renamed tests, because the editor's suite runs every file in its folder.
  const built = new Set(files.map(({ path }) => path));
  const own = suite ? "dist/test/**/*" : production ? "dist/{*,webview/**/*}" : "dist/**/*";
  for (const file of globSync(`${own}.{js,css,html,map}`))
    if (!built.has(resolve(file))) rmSync(file, { force: true });
}
