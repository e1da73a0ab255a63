import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build, context, transform } from "esbuild";
import { readCommandLine } from "./test/support/commandLine.ts";

const {
  values: { production = false, watch = false, metafile = false },
} = readCommandLine({
  usage: `Usage: npm run build -- [--production] [--metafile]
       npm run watch -- [--production]

Builds everything that ships (dist/extension.js, dist/chunks/*.js, dist/webview/*.js) and the editor's test suite
(dist/test/).

  --production   minified, without source maps
  --metafile     also writes dist/meta.json: what went into each file
  --watch        builds again at every change, until Ctrl-C
  --help         prints this`,
  options: {
    production: { type: "boolean" },
    watch: { type: "boolean" },
    metafile: { type: "boolean" },
  },
});

const common = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  legalComments: "none",
  metafile: true,
  // Written by `writeWhole`.
  write: false,
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

/** The files of this build. */
const written = new Set();

/**
 * Puts a file in its place as a whole: of several builds at once, and of those who read meanwhile, none meets a file that is
 * missing or half written.
 */
function writeWhole(path, content) {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
  written.add(resolve(path));
}

/** Removes what an earlier build made and this one did not, such as a chunk of code that has changed. */
function removeLeftovers() {
  for (const file of globSync("dist/{*,chunks/*,webview/*,test/**/*}.{js,js.map}")) {
    if (!written.has(resolve(file))) rmSync(file, { force: true });
  }
}

const asTheyAre = {
  name: "as-they-are",
  setup(build) {
    build.onEnd(({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) writeWhole(path, contents);
    });
  },
};

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
        writeWhole(path, code);
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
    // Where the file will be: its source map names the sources from there.
    outfile: entry,
    metafile: false,
    plugins: [
      {
        name: "from-memory",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
            const file = resolve(resolveDir, path);
            if (!texts.has(file)) return { path, external: true };
            if (kind === "import-statement") return { path: file };
            const fromEntry = relative(dirname(entry), file).replaceAll("\\", "/");
            return { path: `./${fromEntry}`, external: true };
          });
          onLoad({ filter: /.*/ }, ({ path }) => ({ contents: texts.get(path) }));
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
    plugins: [chunksAsCommonJs],
  },
  {
    ...inAWebview,
    entryPoints: ["src/webview/bidForm.ts", "src/webview/chart.ts"],
    outdir: "dist/webview",
    plugins: [asTheyAre],
  },
  {
    ...inTheExtensionHost,
    entryPoints: ["test/editor/suite/index.ts", ...globSync("test/editor/*.test.ts")],
    format: "cjs",
    minify: false,
    sourcemap: production ? false : "inline",
    outbase: "test",
    outdir: "dist/test",
    plugins: [asTheyAre],
  },
];

const inputs = {};
const outputs = {};
for (const bundle of bundles) {
  const builder = await context(bundle);
  if (watch) {
    await builder.watch();
    continue;
  }
  const made = await builder.rebuild();
  Object.assign(inputs, made.metafile.inputs);
  Object.assign(outputs, made.metafile.outputs);
  await builder.dispose();
}
if (metafile) writeWhole("dist/meta.json", JSON.stringify({ inputs, outputs }));
if (watch) console.log("Built; building again at every change. Ctrl-C ends it.");
else removeLeftovers();
