/**
 * A separate process: `node crashAtCall.ts DIRECTORY NOW CALL TASK`. It does TASK (`bid` or `merge`) in a journal's
 * folder, and kills itself (-9) before its CALL-th call that changes a file; in the middle of the call if it writes.
 * With fewer calls, it ends by itself and prints their number.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../builders/bidIntent.ts";

const [directory = "", now = "", call = "", task = ""] = process.argv.slice(2);
let calls = 0;

function dieInTime(
  name: "openSync" | "writeSync" | "fsyncSync" | "renameSync" | "rmSync" | "closeSync",
): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    calls += 1;
    if (calls < Number(call)) return original(...args);
    const [fd, bytes] = args;
    if (name === "writeSync" && bytes instanceof Uint8Array) original(fd, bytes, 0, bytes.length >> 1);
    process.kill(process.pid, "SIGKILL");
    for (;;);
  };
  Object.assign(fs, { [name]: watched });
}

for (const name of ["openSync", "writeSync", "fsyncSync", "renameSync", "rmSync", "closeSync"] as const) {
  dieInTime(name);
}
syncBuiltinESMExports();

const journal = openOrderJournal({ directory, now: () => Number(now) });
if (task === "bid") {
  const intent = bidIntent({ at: Number(now) });
  journal.recordIntent(intent);
  fs.appendFileSync(`${directory}.sent`, `${intent.id}\n`);
  journal.recordCheck(intent.id, { text: "no change" });
  journal.recordOutcome(intent.id, { state: "accepted", orderId: "1" });
  fs.appendFileSync(`${directory}.proved`, `${intent.id}\n`);
  journal.close();
}
const total = calls;
console.log(JSON.stringify(total));
