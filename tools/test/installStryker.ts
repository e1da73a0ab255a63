import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MutantResult, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { installOnce, type Progress } from "../editor/installOnce.ts";
import { install } from "../npm.mjs";
import { root, toolsFolder } from "../paths.ts";

interface Stryker {
  readonly Stryker: new (options: PartialStrykerOptions) => {
    runMutationTest(): Promise<MutantResult[]>;
  };
}

/**
 * The mutation tester Stryker, which is installed under .vscode-test/ if it is missing: a fifth of all files that `npm ci` would
 * install, and one command needs them. Its version is that of its interfaces, which are a dependency of the project.
 */
export async function loadStryker(progress: Progress): Promise<Stryker> {
  const name = "@stryker-mutator/core";
  const interfaces = join(root, "node_modules/@stryker-mutator/api/package.json");
  const { version } = JSON.parse(readFileSync(interfaces, "utf8")) as { readonly version: string };
  const folder = await installOnce(
    join(toolsFolder, `stryker-${version}`),
    "Stryker",
    progress,
    async (temporary) => {
      writeFileSync(join(temporary, "package.json"), '{ "private": true }\n');
      await install(temporary, ["install", `${name}@${version}`, "--ignore-scripts"], progress);
    },
  );
  const main = join(folder, "node_modules", name, "dist/src/index.js");
  return (await import(pathToFileURL(main).href)) as Stryker;
}
