import assert from "node:assert/strict";
import { KEPT_MS } from "../../src/assistant/preparedDrafts.ts";
import { AssistedWindow } from "../support/desks/assistedWindow.ts";
import { FakeClient, readingOf, tickerOf, walletOf } from "../support/fakes/venue.ts";
import { pick } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const A_WINDOW = 100;

describe("prepared orders in a row", () => {
  safetyLine(
    40,
    "Open one ticket at most, queue nothing, and are not confirmed by a key that is held down",
    async (proof) => {
      const counts = { prepared: 0, opened: 0, submitted: 0, heldKeys: 0, gone: 0 };
      await proof.each(1000 / A_WINDOW, async ({ random }) => {
        const client = new FakeClient();
        client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC")));
        client.walletAnswer = () => Promise.resolve(walletOf({ THB: "100000" }));
        const window = await AssistedWindow.open("prepare", { client });
        let lastOpenedAt = Number.NEGATIVE_INFINITY;
        let tickets = 0;
        try {
          for (let index = 0; index < A_WINDOW; index += 1) {
            const amount = String(1000 + index);
            const before = window.page?.draft.message;
            const answers = await Promise.all(
              // The same order again, at the same moment.
              [1, 2].map(() =>
                window.invoke("bidside_prepareOrder", { side: "buy", pair: "BTC/THB", amount, rate: "100" }),
              ),
            );
            counts.prepared += 1;
            await window.settle();
            const isOpened = answers.filter((text) => text?.includes('"opened":true')).length;
            assert.ok(isOpened <= 1);
            if (isOpened === 1) {
              const now = window.timers.now();
              assert.ok(now - lastOpenedAt >= 10_000, `${now - lastOpenedAt} ms`);
              assert.ok(!before?.preparedBy, "there was one already");
              lastOpenedAt = now;
              counts.opened += 1;
              assert.equal(window.page?.draft.message.amount, amount);
            } else assert.deepEqual(window.page?.draft.message.amount, before?.amount);
            assert.ok(window.opened - tickets <= 1);
            const roll = random();
            if (roll < 0.4 && window.page?.draft.message.amount) {
              // A key that is held down submits, and answers the question after a moment.
              window.page.submit();
              counts.submitted += 1;
              await window.settle();
              const [question] = window.questions;
              if (question) {
                await window.settle(pick(random, [0, 30, 500, 999]));
                question.answer(true);
                counts.heldKeys += 1;
                await window.settle();
              }
            } else if (roll < 0.7) {
              window.closeTicket();
              tickets = window.opened;
            }
            await window.settle(pick(random, [0, 500, 5000, 11_000]));
          }
          // Nothing waits for its turn: nobody calls any more, so nothing opens any more.
          window.closeTicket();
          const { opened } = window;
          await window.settle(KEPT_MS);
          assert.equal(window.opened, opened);
          // A last one, which the person leaves alone.
          await window.invoke("bidside_prepareOrder", {
            side: "buy",
            pair: "BTC/THB",
            amount: "777",
            rate: "100",
          });
          await window.settle();
          assert.equal(window.page?.draft.message.amount, "777");
          await window.settle(KEPT_MS);
          assert.deepEqual(
            [window.page?.draft.message.amount, window.page?.draft.message.preparedBy],
            ["", undefined],
          );
          counts.gone += 1;
        } finally {
          await window.close();
        }
        assert.equal(client.calls.placeOrder, 0);
      });
      for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
      return (
        `${counts.prepared} orders prepared twice each: ${counts.opened} tickets filled in, at most 1 at a time and ` +
        `10 s apart, ${counts.heldKeys} questions answered by a key held down, 0 orders sent; ${counts.gone} of ` +
        `${counts.gone} left alone were gone after ${KEPT_MS / 1000} s, 0 opened later`
      );
    },
  );
});
