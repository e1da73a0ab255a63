// Builds everything that ships (dist/extension.js, dist/chunks/*.js, dist/webview/*.js) and the editor test suite (dist/test/).
// Flags: --production (minified, no source maps), --watch, --metafile (writes dist/meta.json).
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { context, transform } from "esbuild";

const flags = new Set(process.argv.slice(2));
const production = flags.has("--production");
const watch = flags.has("--watch");

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
  external: ["vscode", "mocha"],
};
const inAWebview = { ...common, platform: "browser", target: "es2022", format: "iife" };

/**
 * esbuild splits ES modules only, and the extension host's proxy support follows only CommonJS: each chunk is turned into
 * CommonJS when it is done. An `import()` becomes a `require` at that moment, so that a chunk is loaded when it is first wanted.
 */
const chunksAsCommonJs = {
  name: "chunks-as-commonjs",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const { code } = await transform(text, {
          format: "cjs",
          platform: "node",
          target: "node22",
          minify: production,
          sourcemap: production ? false : "inline",
          supported: { "dynamic-import": false },
        });
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, code);
      }
    });
  },
};

const bundles = [
  {
    ...inTheExtensionHost,
    entryPoints: ["src/extension.ts"],
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    outdir: "dist",
    sourcemap: production ? false : "inline",
    write: false,
    plugins: [chunksAsCommonJs],
  },
  { ...inAWebview, entryPoints: ["src/webview/bidForm.ts", "src/webview/chart.ts"], outdir: "dist/webview" },
  {
    ...inTheExtensionHost,
    entryPoints: ["test/editor/suite/index.ts", ...globSync("test/editor/*.test.ts")],
    format: "cjs",
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
