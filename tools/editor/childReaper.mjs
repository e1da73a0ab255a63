// Runs a program in this process's group, and ends the whole group when standard input closes:
//   node tools/editor/childReaper.mjs program [arguments]
// The parent holds the other end of standard input, so no process outlives it, even if it is killed.
import { spawn, spawnSync } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("error", (error) => {
  console.error(`${program} did not start: ${error.message}`);
  process.exit(1);
});
let ending = false;
child.on("exit", (code) => (ending ? endGroup() : process.exit(code ?? 1)));

process.stdin.on("end", () => {
  ending = true;
  if (process.platform === "win32") endGroup();
  else process.kill(-process.pid, "SIGTERM");
  setTimeout(endGroup, 5000);
});
process.stdin.resume();
// This process belongs to the group that it signals, and must be the last to exit.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

function endGroup() {
  if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
  spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"]);
  process.exit(1);
}
