import assert from "node:assert/strict";
import { JournalError } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { JournalFolder, onlyBid } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

describe("an order journal after a reset of the practice account", () => {
  let folder: JournalFolder;

  beforeEach(() => void (folder = new JournalFolder()));

  it("notifies all windows of the reset, and rejects an unrecorded one", () => {
    const journal = folder.open();
    const other = folder.open();
    journal.recordIntent(bidIntent({ at: NOON + 5 }));
    journal.recordAccountReset(crypto.randomUUID());
    assert.ok(other.reread());
    for (const each of [journal, other, folder.open()]) {
      const { state, accountResetAt } = onlyBid(each);
      assert.deepEqual([state, accountResetAt], ["accountReset", NOON + 6], "after all earlier orders");
      assert.deepEqual(each.skippedLines, []);
    }
    journal.close();
    assert.throws(() => journal.recordAccountReset(crypto.randomUUID()), JournalError);
  });

  it("keeps orders, fills and costs of the new account if the clock is set back after the reset", () => {
    const journal = folder.open();
    const before = bidIntent({ at: NOON - 1 });
    journal.recordIntent(before);
    // An order of another account makes no difference to the time of the reset.
    const other = bidIntent({
      at: NOON + 50,
      venue: "live",
      origin: "https://api.example.com",
      account: "1".repeat(16),
    });
    journal.recordIntent(other);
    journal.recordAccountReset(crypto.randomUUID());
    folder.clock = NOON - 90_000;
    const after = bidIntent({ at: folder.clock });
    const live = bidIntent({
      at: folder.clock,
      venue: "live",
      origin: "https://api.example.com",
      account: "1".repeat(16),
    });
    journal.recordIntent(after);
    journal.recordIntent(live);
    journal.recordOutcome(after.id, { state: "accepted", orderId: "1" });
    const report = testReport({ orderId: "1", fills: [testFill("a", "1")] });
    const place = { venue: after.venue, origin: after.origin };
    journal.recordReports([report], place);
    const { pair } = report;
    const entered = { ...pair, quantity: "1", cost: "1" } as const;
    journal.recordCost({ ...entered, ...place });
    for (const each of [journal, folder.open()]) {
      const resets = each.orders().map(({ intent, accountResetAt }) => [intent.id, accountResetAt]);
      assert.deepEqual(Object.fromEntries(resets), {
        [before.id]: NOON,
        [after.id]: undefined,
        [live.id]: undefined,
        [other.id]: undefined,
      });
      const { notBefore, ...sent } =
        each.orders().find(({ intent }) => intent.id === live.id)?.intent ?? assert.fail();
      assert.deepEqual(sent, live);
      assert.ok((notBefore ?? 0) > NOON, "in the sequence of the records");
      const known = each.trades.get(place, pair) ?? assert.fail("no trades");
      assert.deepEqual([known.trades.length, known.entered?.cost.toString()], [1, "1"]);
      assert.equal(each.elsewhere().length, 1);
    }
    journal.recordAccountReset(crypto.randomUUID());
    assert.ok(
      journal.orders().every(({ intent, accountResetAt }) => intent.venue === "live" || accountResetAt),
    );
  });
});
