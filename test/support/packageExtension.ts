import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { root } from "./editor/paths.ts";

/** Where `npm run package` writes the extension: dist/bidside-<version>.vsix. */
export function vsixPath(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return join(root, "dist", `bidside-${version}.vsix`);
}

/** Packages the extension in `folder` as it is now into the file `vsix`, without building it and without dependencies. */
export async function packageExtension(folder: string, vsix: string): Promise<void> {
  mkdirSync(dirname(vsix), { recursive: true });
  await createVSIX({
    cwd: folder,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
}

/**
 * Builds the extension for production and packages it; returns the file's path.
 * Throws when it does not build; esbuild has then printed why.
 */
export async function buildAndPackage(): Promise<string> {
  const { status } = spawnSync(process.execPath, ["esbuild.mjs", "--production"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("Bidside could not be built. See the messages above.");
  const vsix = vsixPath();
  await packageExtension(root, vsix);
  return vsix;
}
