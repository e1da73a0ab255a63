/** A separate process: `node practiceProcess.ts DIRECTORY`. It serves or joins, prints which, and ends with its input. */
import { monotonicTimers } from "../../../src/time/timers.ts";
import { openPractice } from "../../../src/practice/embedded.ts";
import { openAppendLog } from "../../../src/storage/appendLog.ts";

const [directory = ""] = process.argv.slice(2);
const exchange = await openPractice({
  directory,
  now: Date.now,
  timers: monotonicTimers,
  openLog: (path) => openAppendLog({ path, sync: false }),
});
console.log(JSON.stringify({ baseUrl: exchange.baseUrl, servedBy: exchange.servedBy ?? process.pid }));
process.stdin.resume();
process.stdin.on("end", () => void exchange.close().then(() => process.exit(0)));
