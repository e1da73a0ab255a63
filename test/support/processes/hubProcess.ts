/**
 * Run as a process of its own, to be killed or frozen: `node hubProcess.ts DIRECTORY EVENTS INTERVAL`. A window that asks
 * once an interval while it leads, and adds a line of JSON to the file for every request and every role. Ends with its input.
 */
import { appendFileSync } from "node:fs";
import { monotonicTimers } from "../../../src/desk/time/timers.ts";
import { Hub } from "../../../src/hub/hub.ts";

const [directory = "", events = "", interval = ""] = process.argv.slice(2);
const intervalMs = Number(interval);
const pid = process.pid;
let lastAsked = 0;

function note(line: object): void {
  appendFileSync(events, `${JSON.stringify({ pid, at: Date.now(), ...line })}\n`);
}

const hub = new Hub({
  directory,
  timers: monotonicTimers,
  demand: { focused: true, active: true, visible: true, armed: false, intervalMs },
  events: {
    roleChanged: (role) => note({ role }),
    demandsChanged: (follower) => {
      if (lastAsked > 0)
        follower?.send({ type: "asked", subject: "market", venue: "practice", at: lastAsked });
    },
    received: (message) => {
      if (message.type === "asked") lastAsked = message.at;
    },
    warn: (trouble) => note({ trouble }),
  },
});

setInterval(() => {
  // The time before the question who leads: a machine may stop this process right after it.
  const at = Date.now();
  if (at - lastAsked < intervalMs || !hub.checkLead()) return;
  lastAsked = at;
  hub.publish({ type: "asked", subject: "market", venue: "practice", at: lastAsked });
  note({ asked: true, at: lastAsked });
}, 5);
console.log(JSON.stringify(pid));
process.stdin.resume();
process.stdin.on("end", () => {
  hub.dispose();
  process.exit(0);
});
