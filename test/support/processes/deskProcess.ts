/**
 * Run as a process of its own, to be killed: `node deskProcess.ts DIRECTORY EVENTS INTERVAL BASEURL ALERTS`. All that a
 * window has below its views: it adds a line of JSON to the file for every role, every request for the market, every
 * reading, every alert that it tells of, and every record of that. Ends with its input.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { Alerts } from "../../../src/desk/alerts/alerts.ts";
import { systemTimers } from "../../../src/desk/time/timers.ts";
import { shareRecords } from "../../../src/desk/windows/recordSync.ts";
import { createClient } from "../../../src/exchange/client.ts";
import { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { testCredentials, testProfile } from "../builders/client.ts";
import { openDesk } from "../desks/windows.ts";

const [directory = "", events = "", interval = "", baseUrl = "", folder = ""] = process.argv.slice(2);
const pid = process.pid;

function note(line: object): void {
  appendFileSync(events, `${JSON.stringify({ pid, at: Date.now(), ...line })}\n`);
}

const desk = openDesk(directory, {
  client: createClient({
    profile: testProfile(baseUrl),
    credentials: () => Promise.resolve(testCredentials),
    now: Date.now,
  }),
  timers: systemTimers,
  asked: (at) => note({ asked: true, at }),
  demand: { armed: true, intervalMs: Number(interval) },
  credentials: testCredentials,
  live: baseUrl,
});
const { windows, tickers, venue, shared } = desk;
windows.onDidChangeRole((role) => note({ role }));
tickers.onDidChange(({ state: { problem } }) => note({ read: problem === undefined }));
const store = new AlertFiles(folder);
const alerts = new Alerts({
  store: {
    list: () => store.list(),
    read: (id) => store.read(id),
    put: (alert) => store.put(alert),
    remove: (id) => store.remove(id),
    isTold: (alert) => store.isTold(alert),
    claimTelling: (alert, now) => store.claimTelling(alert, now),
    recordTold: (alert) => {
      store.recordTold(alert);
      note({ recorded: alert.id });
    },
  },
  tickers,
  venue,
  timers: systemTimers,
  newId: randomUUID,
  isInFront: () => false,
  tell: ({ id }) => note({ fired: id }),
  trouble: (error) => note({ trouble: String(error) }),
});
shareRecords(windows, "alertsChanged", { onDidWrite: alerts.onDidWrite, reread: () => alerts.reread() });
console.log(JSON.stringify(pid));
process.stdin.resume();
process.stdin.on("end", () => {
  shared.dispose();
  process.exit(0);
});
