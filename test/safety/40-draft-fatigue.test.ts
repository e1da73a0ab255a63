import assert from "node:assert/strict";
import { PREPARED_ORDER_MS } from "../../src/assistant/preparedDrafts.ts";
import { APART_MS } from "../../src/assistant/preparedSlot.ts";
import { AssistedWindow } from "../support/desks/assistedWindow.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../support/fakes/venue.ts";
import { pick } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const A_COMPUTER = 100;
const WINDOWS = 3;

describe("prepared orders in a row", () => {
  safetyLine(
    40,
    "Open one ticket at most over all windows, queue nothing, and are not confirmed by a key that is held down",
    async (proof) => {
      const counts = { prepared: 0, opened: 0, elsewhere: 0, heldKeys: 0, gone: 0 };
      await proof.each(1000 / A_COMPUTER, async ({ random }) => {
        const client = new FakeClient();
        client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
        client.walletAnswer = () => Promise.resolve(walletOf({ THB: "100000" }));
        const first = await AssistedWindow.open("prepare", { client });
        const windows = [first];
        while (windows.length < WINDOWS) windows.push(await first.openBeside({ client }));
        const drafts = () => windows.map(({ page }) => page?.draft.message);
        const prepare = (window: AssistedWindow, amount: string) =>
          window.invoke("bidside_prepareOrder", { side: "buy", pair: "BTC/THB", amount, rate: "100" });
        const opened = (): number => windows.reduce((sum, window) => sum + window.opened, 0);
        let lastOpenedAt = Number.NEGATIVE_INFINITY;
        try {
          for (let index = 0; index < A_COMPUTER; index += 1) {
            const amount = String(1000 + index);
            const before = drafts();
            const tickets = opened();
            // The same order again, at the same moment, in the same window or in another one.
            const called = [pick(random, windows), pick(random, windows)];
            const answers = await Promise.all(called.map((window) => prepare(window, amount)));
            counts.prepared += 1;
            const openings = called.filter((_, each) => answers[each]?.includes('"opened":true'));
            assert.ok(openings.length <= 1);
            const [opener] = openings;
            if (opener) {
              const now = first.timers.now();
              assert.ok(now - lastOpenedAt >= APART_MS, `${now - lastOpenedAt} ms`);
              assert.ok(
                before.every((draft) => !draft?.preparedBy),
                "there was one already",
              );
              lastOpenedAt = now;
              counts.opened += 1;
              await opener.settle();
              assert.equal(opener.page?.draft.message.amount, amount);
            } else {
              const at = before.findIndex((draft) => draft?.preparedBy);
              if (at !== -1 && called.some((window) => window !== windows[at])) counts.elsewhere += 1;
            }
            await first.settle();
            assert.ok(opened() - tickets <= openings.length);
            for (const [each, draft] of drafts().entries())
              if (windows[each] !== opener) assert.equal(draft?.amount, before[each]?.amount);
            assert.ok(drafts().filter((draft) => draft?.preparedBy).length <= 1, "two tickets");
            const holder = windows.find(({ page }) => page?.draft.message.amount);
            const roll = random();
            if (roll < 0.4 && holder) {
              // A key that is held down submits, and answers the question after a moment.
              holder.page?.submit();
              await holder.settle();
              const [question] = holder.dialogs;
              if (question) {
                await holder.settle(pick(random, [0, 30, 500, 999]));
                question.answer(true);
                counts.heldKeys += 1;
                await holder.settle();
              }
            } else if (roll < 0.7) holder?.closeTicket();
            await first.settle(pick(random, [0, 500, 5000, 11_000]));
          }
          // Nothing waits for its turn: nobody calls any more, so nothing opens any more.
          for (const window of windows) window.closeTicket();
          const before = opened();
          await first.settle(PREPARED_ORDER_MS);
          assert.equal(opened(), before);
          // A last one, which the user leaves alone.
          const last = pick(random, windows);
          await prepare(last, "777");
          await last.settle();
          assert.equal(last.page?.draft.message.amount, "777");
          await last.settle(PREPARED_ORDER_MS);
          const { amount, preparedBy } = last.page?.draft.message ?? assert.fail("the ticket closed");
          assert.deepEqual([amount, preparedBy], ["", undefined]);
          counts.gone += 1;
        } finally {
          for (const window of windows.toReversed()) await window.close();
        }
        assert.equal(client.calls.placeOrder, 0);
      });
      for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
      return (
        `${counts.prepared} orders prepared twice each, at the same moment, in any of ${WINDOWS} windows: ${counts.opened} tickets ` +
        `filled in, at most 1 at a time in all windows and 10 s apart, ${counts.elsewhere} refused in a window because another one ` +
        `had a ticket, ${counts.heldKeys} questions answered by a key held down, 0 orders sent; ${counts.gone} of ` +
        `${counts.gone} left alone were gone after ${PREPARED_ORDER_MS / 1000} s, 0 opened later`
      );
    },
  );
});
