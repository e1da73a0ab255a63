// Builds the editor suite and runs it in a separate editor:
//   node tools/test/runEditorSuite.ts [--grep TEXT] [--port N] files…
// With --port, the suite is built already and its extension host waits for a debugger. An "extensionHost" launch would
// use the developer's own profile, whose Bidside settings the suite resets.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { findDesktop } from "../editor/findDesktop.ts";
import { launchDesktop } from "../editor/launchDesktop.ts";
import { launchServer } from "../editor/launchServer.ts";
import { root } from "../paths.ts";
import { type SuiteChoice, SUITE } from "./suiteChoice.ts";

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: "string", default: "" }, port: { type: "string" } },
});
if (values.port === undefined)
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--suite"], { cwd: root, stdio: "inherit" });
const choice: SuiteChoice = { files, grep: values.grep };
process.env[SUITE] = JSON.stringify(choice);
const port = values.port === undefined ? undefined : Number(values.port);
const desktop = findDesktop();
console.log(desktop === undefined ? "In VS Code's server." : `In ${desktop}.`);
console.log(await (desktop === undefined ? launchServer(console.log, port) : launchDesktop(desktop, port)));
