/**
 * A separate process: `node alertAndDie.ts STORAGE ANNOUNCEMENTS CALL`. A window whose alert is reached: it announces the
 * alert by adding a line with its pid to ANNOUNCEMENTS. Before its CALL-th step it writes the step's name to its output and
 * kills itself (-9). Steps are the calls that change a file, the announcement, and the code after it. With
 * fewer steps, it ends by itself and prints their number.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { systemTimers } from "../../../src/time/timers.ts";
import { openAlertWindow } from "../desks/alertWindow.ts";

const [storage = "", announcements = "", call = ""] = process.argv.slice(2);
const { writeSync } = fs;
const announced = fs.openSync(announcements, "a");
let steps = 0;
let hasAnnounced = false;

function step(name: string): void {
  steps += 1;
  if (steps < Number(call)) return;
  writeSync(1, `${JSON.stringify({ before: hasAnnounced ? `after announcement: ${name}` : name })}\n`);
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

function watch(name: "openSync" | "writeFileSync" | "renameSync" | "rmSync" | "closeSync"): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    step(`${name} ${args.map((each) => fileName(String(each))).join(" ")}`.trim());
    return original(...args);
  };
  Object.assign(fs, { [name]: watched });
}

/** A path in the storage, without the parts that differ from run to run. */
function fileName(text: string): string {
  if (!text.startsWith(storage)) return "";
  return text
    .slice(storage.length + 1)
    .replace(/-[0-9a-f]{8}-[0-9a-f-]{27}/, "")
    .replace(/\.json\..*/, ".json, new");
}

const window = await openAlertWindow(storage, systemTimers, () => {
  step("announcement");
  writeSync(announced, `${process.pid}\n`);
  hasAnnounced = true;
  step("return");
});
for (const name of ["openSync", "writeFileSync", "renameSync", "rmSync", "closeSync"] as const) watch(name);
syncBuiltinESMExports();
await window.show(111);
step("the end");
const total = steps;
console.log(JSON.stringify({ steps: total }));
process.exit(0);
