// Builds everything that ships (dist/extension.js, dist/chunks/*.js, dist/webview/*.js) and the editor test suite (dist/test/).
// Flags: --production (minified, no source maps), --watch, --metafile (writes dist/meta.json).
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build, context, transform } from "esbuild";

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

const asCommonJs = {
  format: "cjs",
  platform: "node",
  target: "node22",
  minify: production,
  sourcemap: production ? false : "inline",
  // An `import()` becomes a `require` at that moment: a chunk is loaded when it is first wanted.
  supported: { "dynamic-import": false },
};

/**
 * esbuild splits ES modules only, and the extension host's proxy support follows only CommonJS: each chunk is turned into
 * CommonJS when it is done. Those that the entry needs at once become one file with it, because each file costs a start
 * half a millisecond; in their places stand references to it, so that whatever is loaded later shares their classes.
 */
const chunksAsCommonJs = {
  name: "chunks-as-commonjs",
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
      const entry = resolve("dist/extension.js");
      const together = atOnce(entry, metafile.outputs);
      for (const [path, text] of texts) {
        const place = together.indexOf(path);
        const { code } =
          place === -1
            ? await transform(text, asCommonJs)
            : {
                code:
                  path === entry
                    ? await oneFile(together, texts)
                    : `module.exports=require("../extension.js").$${place};`,
              };
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, code);
      }
    });
  },
};

/** The entry and every chunk that it imports before its first `import()`, or that one of these does. */
function atOnce(entry, outputs) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind } of outputs[relative("", file).replaceAll("\\", "/")]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) found.add(resolve(path));
    }
  }
  return [...found];
}

/** All of these as one module: what the first of them exports, and each of the others under its number. */
async function oneFile([entry, ...others], texts) {
  const contents = [
    `export * from ${JSON.stringify(entry)};`,
    ...others.map((path, index) => `export * as $${index + 1} from ${JSON.stringify(path)};`),
  ].join("\n");
  const built = await build({
    ...common,
    ...asCommonJs,
    stdin: { contents, resolveDir: dirname(entry) },
    metafile: false,
    write: false,
    plugins: [
      {
        name: "from-memory",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
            const file = resolve(resolveDir, path);
            if (!texts.has(file)) return { path, external: true };
            if (kind === "import-statement") return { path: file, namespace: "memory" };
            const fromEntry = relative(dirname(entry), file).replaceAll("\\", "/");
            return { path: `./${fromEntry}`, external: true };
          });
          onLoad({ filter: /.*/, namespace: "memory" }, ({ path }) => ({
            contents: texts.get(path),
            resolveDir: dirname(path),
          }));
        },
      },
    ],
  });
  return built.outputFiles[0].text;
}

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
    metafile: true,
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
