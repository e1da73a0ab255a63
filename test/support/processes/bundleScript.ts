import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "../../../tools/paths.ts";

/**
 * Bundles a script of this project (relative path) into one file in a folder, and returns that file. A process of
 * the bundle starts in a tenth of the time, because a test starts thousands of processes.
 */
export async function bundleScript(script: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(script, ".ts")}.mjs`);
  await build({
    entryPoints: [join(root, script)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    // The package "ws" requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return outfile;
}
