import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { startGroup } from "./editor/processGroup.ts";
import { root } from "./paths.ts";

/** The environment variable that names a package to use instead of a new build. */
export const VSIX = "BIDSIDE_VSIX";

/** The path of the packaged extension. */
export function vsixPath(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return join(root, "dist", `bidside-${version}.vsix`);
}

/** The packaged extension: the package that BIDSIDE_VSIX names, else a new build. Throws as `buildAndPackage` does. */
export async function packaged(): Promise<string> {
  return process.env[VSIX] ?? (await buildAndPackage());
}

/**
 * Builds the extension for production and packages it as dist/bidside-<version>.vsix; returns that path. The content of the
 * bundles is then in dist/meta.json. Several builds may run at the same time.
 * Throws an error with the tool's own words if the extension does not build.
 */
export async function buildAndPackage(): Promise<string> {
  await run(["esbuild.mjs", "--production", "--metafile"], root);
  const vsix = vsixPath();
  await packageBuilt(vsix, process.env[PICTURES]);
  return vsix;
}

/** The environment variable that names the https address under which the repository's files are public, to the last slash. */
const PICTURES = "BIDSIDE_PICTURES";

/** Folders for building and testing only. */
const TOOLS: ReadonlySet<string> = new Set([".git", ".vscode-test", "node_modules"]);

/**
 * Packages the built extension. The editor's page of an extension shows only pictures from https addresses, not those of
 * the package. So the README's pictures are those at `pictures`, and are left out without such an address.
 */
export async function packageBuilt(vsix: string, pictures: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-package-"));
  try {
    // The packager reads every file of its folder, and these folders have tens of thousands.
    cpSync(root, folder, { recursive: true, filter: (path) => !TOOLS.has(relative(root, path)) });
    if (pictures === undefined) {
      const readme = readFileSync(join(root, "README.md"), "utf8");
      writeFileSync(join(folder, "README.md"), withoutPictures(readme));
    }
    await packageExtension(folder, vsix, pictures === undefined ? [] : ["--baseImagesUrl", pictures]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Markdown text without the pictures on separate lines. */
function withoutPictures(markdown: string): string {
  return markdown.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "");
}

/** Packages the extension in `folder` without dependencies into the file `vsix`. */
export async function packageExtension(
  folder: string,
  vsix: string,
  more: readonly string[] = [],
): Promise<void> {
  mkdirSync(dirname(vsix), { recursive: true });
  // Renamed when it is complete: another process may be installing the existing one.
  const unfinished = `${vsix}.${process.pid}`;
  const options = [
    "--no-dependencies",
    "--allow-missing-repository",
    "--skip-license",
    ...more,
    "--out",
    unfinished,
  ];
  await run([join(root, "node_modules", "@vscode", "vsce", "vsce"), "package", ...options], folder);
  renameSync(unfinished, vsix);
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const group = startGroup(process.execPath, command, { cwd });
  const code = await group.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} failed:\n${group.output().trim()}`);
}
