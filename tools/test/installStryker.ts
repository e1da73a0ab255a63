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
 * Loads the mutation tester Stryker, and installs it under .vscode-test/ if it is missing. It is not a dependency of
 * the project, because it would be a fifth of all files that `npm ci` installs, and only one command needs it. Its
 * version is that of its type definitions, which are a dependency.
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
