import assert from "node:assert/strict";
import { killLeaders, onMachine } from "../support/processes/failover.ts";
import { waitFor } from "../support/waitFor.ts";

const INTERVAL_MS = 400;
const BALANCE_INTERVAL_MS = 30_000;
const ROUNDS = 4;
const MANY = 6;

describe("the desks of several windows, as processes", () => {
  it("make one request in each interval, however many they are", () =>
    onMachine(INTERVAL_MS, async ({ exchange, windows }) => {
      await windows.start(MANY);
      await windows.settled();
      const [settled, balances] = [Date.now(), exchange.others.wallet];
      const before = exchange.asked.length;
      await waitFor("some rounds", () => exchange.asked.length >= before + 8, 20_000);
      assert.deepEqual(windows.doublesSince(settled), []);
      assert.ok(exchange.asked.length <= windows.asked, "each request was announced to the others");
      const readers = new Set(windows.events.flatMap(({ pid, read }) => (read ? [pid] : [])));
      assert.equal(readers.size, MANY, "all windows show the polled prices");
      const most = 1 + Math.floor((Date.now() - settled) / BALANCE_INTERVAL_MS);
      assert.ok(exchange.others.wallet - balances <= most, "the balance is read once for all windows");
    }));

  it("lose no alert and ask no more often if the asking window is killed again and again", async () => {
    const { longestMs, longestGapMs, ...failures } = await killLeaders(ROUNDS, INTERVAL_MS);
    assert.deepEqual(failures, { doubles: [], lost: 0, repeated: 0, late: 0, older: 0 });
    console.log(
      `      ${ROUNDS} leaders killed and taken over within ${longestMs} ms, longest gap ${longestGapMs} ms ` +
        `of ${INTERVAL_MS}, 0 double requests, 0 alerts lost or announced again`,
    );
  });
});
