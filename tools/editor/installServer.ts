import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install } from "../npm.mjs";
import { toolsFolder } from "../paths.ts";
import { installOnce, type Progress } from "./installOnce.ts";

/** Version of the npm package that contains VS Code's server and browser workbench. */
const VERSION = "4.139.1";

/** Installs VS Code's server under .vscode-test/ if it is missing. Returns the path of the script that starts it. */
export async function installServer(progress: Progress): Promise<string> {
  const inside = join("node_modules", "code-server", "lib", "vscode");
  const folder = await installOnce(
    join(toolsFolder, `code-server-${VERSION}`),
    "VS Code's server",
    progress,
    async (temporary) => {
      writeFileSync(join(temporary, "package.json"), '{ "private": true }\n');
      // Without install scripts, because native modules would need a compiler. The server works without them.
      await install(temporary, ["install", `code-server@${VERSION}`, "--ignore-scripts"], progress);
      await install(join(temporary, inside), ["install", "--omit=dev", "--ignore-scripts"], progress);
    },
  );
  writeLogsWithoutNativeCode(join(folder, inside));
  return join(folder, inside, "out", "server-main.js");
}

/** Replaces the server's log writer, if still needed, with one that is not a native module. */
function writeLogsWithoutNativeCode(server: string): void {
  const ours = join(import.meta.dirname, "plainLog.cjs");
  const place = join(server, "node_modules", "@vscode", "spdlog", "index.js");
  if (readFileSync(place, "utf8") === readFileSync(ours, "utf8")) return;
  const unfinished = `${place}.${process.pid}`;
  copyFileSync(ours, unfinished);
  renameSync(unfinished, place);
}
