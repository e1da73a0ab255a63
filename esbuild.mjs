// Builds everything that ships (dist/*.js, dist/webview/*.js) and the editor test suite (dist/test/).
// Flags: --production (minified, no source maps), --watch, --metafile (writes dist/meta.json).
import { existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { context } from "esbuild";

const flags = new Set(process.argv.slice(2));
const production = flags.has("--production");
const watch = flags.has("--watch");

/** The practice exchange is a bundle of its own, loaded when it is first wanted: a live user never pays for it. */
const practiceStaysOutside = {
  name: "practice-stays-outside",
  setup(build) {
    build.onResolve({ filter: /\/practice\/embedded\.ts$/ }, () => ({
      path: "./practice.js",
      external: true,
    }));
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
    plugins: [practiceStaysOutside],
  },
  {
    ...inTheExtensionHost,
    entryPoints: existsSync("src/practice/embedded.ts") ? { practice: "src/practice/embedded.ts" } : {},
    outdir: "dist",
  },
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
  if (Object.keys(bundle.entryPoints).length === 0) continue;
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
