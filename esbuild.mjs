// Builds everything that ships (dist/*.js, dist/webview/*.js) and the editor test suite (dist/test/).
// Flags: --production (minified, no source maps), --watch, --metafile (writes dist/meta.json).
import { globSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { context } from "esbuild";

const flags = new Set(process.argv.slice(2));
const production = flags.has("--production");
const watch = flags.has("--watch");

/** Bundles of their own beside the entry's, loaded when they are first wanted: their modules are imported with `import()`. */
const loadedWhenUsed = {
  practice: "src/practice/embedded.ts",
  panels: "src/panels/bidForm.ts",
  journal: "src/journal/orderJournal.ts",
};

const staysOutside = {
  name: "stays-outside",
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const wanted = relative(".", join(resolveDir, path)).replaceAll("\\", "/");
      const found = Object.entries(loadedWhenUsed).find(([, source]) => source === wanted);
      return found && { path: `./${found[0]}.js`, external: true };
    });
  },
};

const common = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  legalComments: "none",
  metafile: flags.has("--metafile"),
  logLevel: "warning",
};
// "http" and "https" stay bare: the editor's proxy support replaces exactly these specifiers.
const inTheExtensionHost = {
  ...common,
  platform: "node",
  target: "node22",
  format: "cjs",
  external: ["vscode", "mocha"],
};
const inAWebview = { ...common, platform: "browser", target: "es2022", format: "iife" };

const bundles = [
  {
    ...inTheExtensionHost,
    entryPoints: ["src/extension.ts"],
    outdir: "dist",
    plugins: [staysOutside],
  },
  { ...inTheExtensionHost, entryPoints: loadedWhenUsed, outdir: "dist" },
  { ...inAWebview, entryPoints: ["src/webview/bidForm.ts"], outdir: "dist/webview" },
  {
    ...inTheExtensionHost,
    entryPoints: ["test/editor/suite/index.ts", ...globSync("test/editor/*.test.ts")],
    minify: false,
    sourcemap: false,
    outbase: "test",
    outdir: "dist/test",
  },
];

rmSync("dist", { recursive: true, force: true });
const inputs = {};
const outputs = {};
for (const bundle of bundles) {
  const builder = await context(bundle);
  if (watch) {
    await builder.watch();
    continue;
  }
  const { metafile } = await builder.rebuild();
  Object.assign(inputs, metafile?.inputs);
  Object.assign(outputs, metafile?.outputs);
  await builder.dispose();
}
if (flags.has("--metafile")) writeFileSync("dist/meta.json", JSON.stringify({ inputs, outputs }));
if (watch) console.log("Built; building again at every change. Ctrl-C ends it.");
