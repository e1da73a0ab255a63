import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./editor/paths.ts";
import { startGroup } from "./editor/processGroup.ts";

/**
 * Builds the extension for production and packages it as dist/bidside-<version>.vsix; returns that path. What
 * went into the bundles is then in dist/meta.json.
 * Throws an error that carries the tool's own words when it does not build.
 */
export async function buildAndPackage(): Promise<string> {
  await run(["esbuild.mjs", "--production", "--metafile"], root);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const vsix = join(root, "dist", `bidside-${version}.vsix`);
  await packageExtension(root, vsix);
  return vsix;
}

/** Packages the extension in `folder` as it stands, without dependencies, into the file `vsix`. */
export async function packageExtension(folder: string, vsix: string): Promise<void> {
  mkdirSync(dirname(vsix), { recursive: true });
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", vsix];
  await run([join(root, "node_modules", "@vscode", "vsce", "vsce"), "package", ...options], folder);
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const group = startGroup(process.execPath, command, { cwd });
  const code = await group.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} failed:\n${group.said().trim()}`);
}
