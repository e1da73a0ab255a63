// Runs the built editor suite in a separate editor that waits for a debugger:
//   node tools/test/debugSuite.ts --port N [--grep TEXT]
// An "extensionHost" launch would use the developer's own profile, whose Bidside settings the suite resets.
import { readCommandLine } from "../commandLine.ts";
import { findDesktop } from "../editor/findDesktop.ts";
import { launchDesktop } from "../editor/launchDesktop.ts";
import { launchServer } from "../editor/launchServer.ts";

const {
  values: { port = "9339", grep },
} = readCommandLine({
  usage: `Usage: node tools/test/debugSuite.ts [--port N] [--grep TEXT]

Runs the built editor suite in an editor of its own. Its extension host waits for a debugger. Build it first: npm run build

  --port N      where the debugger attaches; 9339 when left out
  --grep TEXT   only tests whose full title contains the text
  --help        prints this`,
  options: { port: { type: "string" }, grep: { type: "string" } },
});
const choice = { files: [], grep };
const desktop = findDesktop();
const outcome = await (desktop === undefined
  ? launchServer(console.log, choice, Number(port))
  : launchDesktop(desktop, choice, Number(port)));
console.log(outcome.report);
process.exitCode = outcome.failed === 0 ? 0 : 1;
