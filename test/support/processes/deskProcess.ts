/**
 * A separate process that is killed: `node deskProcess.ts DIRECTORY EVENTS INTERVAL BASEURL STORAGE`. A window
 * with the shipped desk: it adds a line of JSON to EVENTS for every role, every request for the market that it
 * announced, every poll, every alert that it announces, and every record of an announcement. Ends with its input.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicTimers, systemTimers } from "../../../src/time/timers.ts";
import { Hub } from "../../../src/hub/hub.ts";
import type { Announcement, LeaderUpdate } from "../../../src/hub/protocol.ts";
import { createClient } from "../../../src/exchange/client.ts";
import { NotificationClaims } from "../../../src/storage/notificationClaims.ts";
import { testProfile } from "../builders/client.ts";
import { liveAt } from "../desks/testDesk.ts";
import { openDesk } from "../desks/windows.ts";
import { alertChannel } from "../fakes/alertChannel.ts";

const [directory = "", events = "", interval = "", live = "", storage = ""] = process.argv.slice(2);
const pid = process.pid;

function note(line: object): void {
  appendFileSync(events, `${JSON.stringify({ pid, at: Date.now(), ...line })}\n`);
}

/** The other windows count from the announcement of a request. This process may be stopped right after it. */
class WatchedHub extends Hub {
  override publish(message: LeaderUpdate | Announcement): void {
    super.publish(message);
    if (message.type === "poll" && message.subject === "market") note({ asked: true, at: message.at });
  }
}

const { markDelivered } = NotificationClaims.prototype;
NotificationClaims.prototype.markDelivered = function (this: NotificationClaims, path: string): void {
  markDelivered.call(this, path);
  note({ recorded: delivered.at(-1) });
};
/** Ids of the alerts that this window announced. */
const delivered: string[] = [];

const desk = openDesk(storage, {
  ...liveAt(live),
  // The path identifies the window to the exchange.
  createClient: (options) => createClient({ ...options, profile: testProfile(`${live}/${pid}`) }),
  timers: systemTimers,
  openWindows: (demand, events, account = "") =>
    Promise.resolve(
      new WatchedHub({ directory: join(directory, account), demand, timers: monotonicTimers, events }),
    ),
  intervalMs: Number(interval),
  isInFront: () => false,
  channels: [
    alertChannel(({ id }) => {
      note({ fired: id });
      delivered.push(id);
    }),
  ],
  log: { warn: (trouble) => note({ trouble }), error: (trouble) => note({ trouble }) },
});
desk.windows.onDidChangeRole((role) => note({ role }));
desk.tickers.onDidChange(({ state: { problem, readAt } }) => note({ read: problem === undefined, readAt }));
await desk.alerts();
console.log(JSON.stringify(pid));
process.stdin.resume();
process.stdin.on("end", () => {
  desk.dispose();
  process.exit(0);
});
