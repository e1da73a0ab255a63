import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import { installOnce, type Progress } from "./installOnce.ts";
import { startGroup } from "./processGroup.ts";

/** Older installations are of packages that have been rebuilt since. */
const INSTALLATION_MS = 3600_000;

/**
 * Installs packaged extensions with the command line of VS Code's server, and returns an extensions folder to copy.
 * Installing takes a second of CPU time and a test run opens dozens of editors, so each set of packages is installed
 * only once. `args`: the server's script and the arguments that all its commands need. Throws an error with the
 * server's output.
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

/** Removes an installation that is older than an hour, and so is not in progress. */
function removeIfOld(path: string): void {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - changed > INSTALLATION_MS) rmSync(path, { recursive: true, force: true });
}
