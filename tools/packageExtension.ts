import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { startGroup } from "./editor/processGroup.ts";
import { root } from "./paths.ts";

/** Environment variable with the path of a package to use instead of building one. */
export const VSIX = "BIDSIDE_VSIX";

/** Path at which the extension is packaged. */
export function vsixPath(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return join(root, "dist", `bidside-${version}.vsix`);
}

/** Path of the package in BIDSIDE_VSIX, else of a new one. Throws like `buildAndPackage`. */
export async function packaged(): Promise<string> {
  return process.env[VSIX] ?? (await buildAndPackage());
}

/**
 * Builds the extension for production, packages it as dist/bidside-<version>.vsix and returns that path. dist/meta.json
 * then describes the bundles' content. Several builds may run at the same time. Throws an error with the tool's output
 * if a build fails.
 */
export async function buildAndPackage(): Promise<string> {
  await run(["esbuild.mjs", "--production", "--metafile"], root);
  const vsix = vsixPath();
  await packageBuilt(vsix, process.env[PICTURES]);
  return vsix;
}

/** Environment variable with the https URL under which the repository's files are public, including the final slash. */
const PICTURES = "BIDSIDE_PICTURES";

/** Folders that are needed only for building and testing. */
const TOOLS: ReadonlySet<string> = new Set([".git", ".vscode-test", "node_modules"]);

/**
 * Packages the built extension. The editor's page about an extension shows only images with https URLs, not those in
 * the package, so the README's images are linked below `pictures`, or removed if there is no such URL.
 */
async function packageBuilt(vsix: string, pictures: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-package-"));
  try {
    // The packager reads every file of its folder, and the excluded folders contain tens of thousands.
    cpSync(root, folder, { recursive: true, filter: (path) => !TOOLS.has(relative(root, path)) });
    const readme = readFileSync(join(root, "README.md"), "utf8");
    writeFileSync(join(folder, "README.md"), shippedReadme(readme, pictures !== undefined));
    await packageExtension(folder, vsix, pictures === undefined ? [] : ["--baseImagesUrl", pictures]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of README.md for the extension's page: without the section for people who have the source, and without
 * images, each on a line of its own, if they are not public.
 */
export function shippedReadme(readme: string, hasPictures: boolean): string {
  const text = readme.replace(/^## From the source\n[^]*?(?=^## )/m, "");
  return hasPictures ? text : text.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "");
}

/** Packages the extension in `folder` without dependencies into the file `vsix`. */
export async function packageExtension(
  folder: string,
  vsix: string,
  more: readonly string[] = [],
): Promise<void> {
  mkdirSync(dirname(vsix), { recursive: true });
  // Renamed once complete, because another process may be installing the existing file.
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
