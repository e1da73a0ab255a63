// Builds the editor suite and runs it in a separate editor:
//   node tools/test/runEditorSuite.ts [--grep TEXT] [--port N] files…
// With --port, the suite is built already and its extension host waits for a debugger. An "extensionHost" launch would
// use the developer's own profile, whose Bidside settings the suite resets.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findDesktop } from "../editor/findDesktop.ts";
import { launchDesktop } from "../editor/launchDesktop.ts";
import { launchServer } from "../editor/launchServer.ts";
import { root } from "../paths.ts";
import { eventReader, EVENTS } from "./events.ts";
import { choiceEnv } from "./suiteChoice.ts";
import { Tally } from "./tally.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: "string" }, port: { type: "string" } },
});
const port = values.port === undefined ? undefined : Number(values.port);
if (port === undefined)
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--suite"], { cwd: root, stdio: "inherit" });

const isWatched = process.env[EVENTS] !== undefined;
const file = (process.env[EVENTS] ??= join(tmpdir(), `bidside-events-${process.pid}`));
const env = choiceEnv({ files: positionals, grep: values.grep });
const desktop = findDesktop();
console.log(desktop === undefined ? "In VS Code's server." : `In ${desktop}.`);
const output = await (desktop === undefined
  ? launchServer(console.log, env, port)
  : launchDesktop(desktop, env, port));
console.log(output);
if (!isWatched) {
  const tally = new Tally("test/editor", positionals, ({ title, error }) =>
    console.log(`${title}\n${error}`),
  );
  for (const event of eventReader(file)()) tally.add(event);
  rmSync(file, { force: true });
  const { output: log, failures } = tally.report(undefined, "");
  console.log(log);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
