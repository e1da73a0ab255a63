/**
 * A separate process that is killed: `node bidAndDie.ts ORDER` with a DeathOrder as JSON. It places bids through the
 * shipped desk. During the last bid, at the named point, it writes the point's name to its output and kills itself (-9).
 */
import { subscribe } from "node:diagnostics_channel";
import fs, { writeSync } from "node:fs";
import { specPaths } from "../../../src/exchange/paths.ts";
import { pairOf, watchedClient } from "../builders/client.ts";
import { bid, liveAt, openTestDesk, readAll, unattended } from "../desks/testDesk.ts";
import { systemWith } from "../fakes/operatingSystem.ts";
import type { DeathOrder, DeathPoint } from "./deathPoints.ts";

const { point, directory, baseUrl, apiKey, apiSecret, amounts, waits } = JSON.parse(
  process.argv[2] ?? "",
) as DeathOrder;
let isLast = false;
/** Journal lines of the last bid, and whether the newest is still to be synced. The draft's claim is synced too. */
let lines = 0;
let isSynced = true;

function dieAt(reached: DeathPoint): void {
  if (!isLast || reached !== point) return;
  writeSync(1, `${point}\n`);
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

// Published when the request was written to its open connection. The answer may come before the next turn of the loop.
subscribe("http.client.request.start", (message) => {
  const { request } = message as { request: { path: string } };
  if (request.path === specPaths.placeBid) process.nextTick(() => dieAt("after its request"));
});

const desk = await openTestDesk({
  ...liveAt(baseUrl, () => Promise.resolve(pairOf(apiKey, apiSecret))),
  storage: directory,
  window: unattended,
  os: systemWith({
    writeSync: (fd, bytes, offset) => {
      dieAt("before its journal line");
      if (isLast && point === "within its journal line") fs.writeSync(fd, bytes, 0, bytes.length >> 1);
      dieAt("within its journal line");
      if (isLast) lines += 1;
      isSynced = false;
      return fs.writeSync(fd, bytes, offset);
    },
    fsyncSync: (fd) => {
      fs.fsyncSync(fd);
      if (isSynced) return;
      isSynced = true;
      dieAt(lines === 1 ? "after its journal line" : "after its outcome's line");
    },
  }),
  createClient: (options) => watchedClient(options, () => dieAt("after its answer")),
});
await readAll(desk);
for (const [index, amount] of amounts.entries()) {
  isLast = index === amounts.length - 1;
  const { kind } = await bid(desk, amount);
  if (kind !== "accepted") throw new Error(`A bid was ${kind}.`);
  if (waits) await readAll(desk);
}
throw new Error(`The process did not die at "${point}".`);
