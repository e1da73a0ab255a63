import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import { installOnce, type Progress } from "./installOnce.ts";
import { startGroup } from "./processGroup.ts";

/** An older installation belongs to a package that was built again in the meantime. */
const PREPARED_ORDER_MS = 3600_000;

/**
 * Installs packaged extensions by the command line of VS Code's server. An installation takes a second of work, and a test run opens
 * dozens of editors: so the same packages are installed once, and each editor gets a copy.
 * `serverCommand`: the server's script, and the arguments and environment that each of its commands needs.
 * Returns an extensions folder to copy. Throws an error with the server's own words.
 */
export async function installExtensions(
  vsixes: readonly string[],
  { args, env }: { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  progress: Progress,
): Promise<string> {
  const hash = createHash("sha256");
  for (const vsix of vsixes) hash.update(readFileSync(vsix));
  const installations = join(toolsFolder, "extensions");
  mkdirSync(installations, { recursive: true });
  const folder = join(installations, hash.digest("hex").slice(0, 16));
  return await installOnce(folder, "the extension", progress, async (temporary) => {
    for (const entry of readdirSync(installations)) removeIfOld(join(installations, entry));
    const data = mkdtempSync(join(tmpdir(), "bidside-install-"));
    const folders = ["--user-data-dir", data, "--server-data-dir", data, "--extensions-dir", temporary];
    const installs = vsixes.flatMap((vsix) => ["--install-extension", vsix]);
    const command = startGroup(process.execPath, [...args, ...folders, ...installs], { env });
    const code = await command.exited;
    rmSync(data, { recursive: true, force: true });
    if (code !== 0) throw new Error(`VS Code's server could not install the extension:\n${command.output()}`);
  });
}

/** Removes an installation that is older than an hour. An installation in progress is newer. */
function removeIfOld(path: string): void {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - changed > PREPARED_ORDER_MS) rmSync(path, { recursive: true, force: true });
}
