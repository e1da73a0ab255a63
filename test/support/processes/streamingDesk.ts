/**
 * A separate process that is killed: `node streamingDesk.ts DIRECTORY EVENTS INTERVAL BASEURL STORAGE`. A window with the shipped desk
 * on an exchange that streams prices and orders. It adds a line of JSON to EVENTS for every role, every change of the market with
 * the time of the newest streamed price, every alert that it announces, and the fills of all orders whenever their number changes. Each
 * line of input is a rate at which it bids 1,000 THB. Ends with its input.
 */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { OrderOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { systemTimers } from "../../../src/time/timers.ts";
import { NotSentError } from "../../../src/exchange/errors.ts";
import { readProfile } from "../../../src/exchange/profile.ts";
import { openWebSocket } from "../../../src/exchange/stream/socket.ts";
import { practiceProfile } from "../../../src/practice/http/profile.ts";
import { pairOf } from "../builders/client.ts";
import { testPair } from "../builders/practiceRequest.ts";
import { submit } from "../desks/testDesk.ts";
import { hubsIn } from "../desks/hubs.ts";
import { openDesk } from "../desks/windows.ts";
import { alertChannel } from "../fakes/alertChannel.ts";
import { openingOf, byKind } from "../fakes/venue.ts";

/** How a submission ended, with the reason why nothing was sent. */
function placedAs(outcome: OrderOutcome): string {
  if (outcome.kind === "invalid") return outcome.problems.map(({ code }) => code).join();
  return outcome.kind === "notSent" && outcome.error instanceof NotSentError
    ? outcome.error.reason
    : outcome.kind;
}

const [directory = "", events = "", interval = "", baseUrl = "", storage = ""] = process.argv.slice(2);
const pid = process.pid;

function note(line: object): void {
  appendFileSync(events, `${JSON.stringify({ pid, at: Date.now(), ...line })}\n`);
}

const profile = readProfile({ ...practiceProfile(baseUrl), paths: {} });
if (Array.isArray(profile)) assert.fail(profile.join());
const credentials = pairOf(testPair.apiKey, testPair.apiSecret);
const opening = openingOf(baseUrl, { profile, credentials: () => Promise.resolve(credentials) });
const open = () => Promise.resolve(opening);

const desk = openDesk(storage, {
  venue: "live",
  openVenue: byKind({ practice: open, live: open }),
  timers: systemTimers,
  openWindows: hubsIn(directory),
  intervalMs: Number(interval),
  isInFront: () => false,
  channels: [alertChannel(({ id }) => note({ fired: id }))],
  log: { warn: (trouble) => note({ trouble }), error: (trouble) => note({ trouble }) },
  stream: { open: openWebSocket, isOn: () => true },
});
desk.windows.onDidChangeRole((role) => note({ role }));
desk.tickers.onDidChange(({ state: { problem, readAt } }) =>
  note({ read: problem === undefined, readAt, live: desk.tickers.streamedPrice("THB_BTC")?.at }),
);
let fills = 0;
desk.orders.onDidChange(() => {
  const { own, elsewhere } = desk.orders;
  const now = [...own, ...elsewhere].reduce((sum, { known }) => sum + (known?.fills.length ?? 0), 0);
  if (now !== fills) note({ fills: (fills = now) });
});
await desk.alerts();
await desk.orders.reread();
console.log(JSON.stringify(pid));
for await (const rate of createInterface({ input: process.stdin })) {
  const outcome = await submit(desk, { symbol: "THB_BTC", amount: "1000", rate });
  note({ placed: placedAs(outcome) });
}
desk.dispose();
process.exit(0);
