import assert from "node:assert/strict";
import type { LimitOrder } from "../../src/market/order.ts";
import { asksOffered } from "../support/builders/client.ts";
import { type HostileCall, hostileCall } from "../support/builders/hostileCalls.ts";
import { AssistedWindow } from "../support/desks/assistedWindow.ts";
import {
  FakeClient,
  openingOf,
  snapshotOf,
  tickerOf,
  walletOf,
  byKind,
  liveAccount,
} from "../support/fakes/venue.ts";
import { pick, type Random } from "../support/random.ts";
import { testProfile } from "../support/builders/client.ts";
import { safetyLine } from "./safetyLine.ts";
import { practiceAccount } from "../../src/market/account.ts";

const CALLS_A_WINDOW = 50;
const MARK = /^(Prepared by an assistant|Filled in from a link)\. Check every figure\./;

/** The user's answer to the latest confirmation, and the confirmation's text. */
interface Answered {
  readonly isYes: boolean;
  readonly title: string;
  readonly detail: string;
  readonly openMs: number;
  readonly isOrder: boolean;
}

describe("assistants, links and commands", () => {
  const counts = { calls: 0, opened: 0, questions: 0, confirmed: 0, tooSoon: 0, sent: 0 };

  /** One window, one person and many hostile calls. Checks every order that leaves. */
  async function round(random: Random): Promise<void> {
    const client = new FakeClient();
    const profile = (url: string) => testProfile(url, { walletMethod: "GET", features: asksOffered });
    const open = (url: string, name: string, addressMayChange: boolean) => () =>
      Promise.resolve(openingOf(url, { name, addressMayChange, profile: profile(url) }));
    let newest: Answered | undefined;
    const sent: LimitOrder[] = [];
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "100000", BTC: "5000" }));
    client.bidAnswer = (order) => {
      assert.ok(newest?.isYes && newest.isOrder, "an order left without a person's yes");
      const spent = new RegExp(`^Buy about \\S+ BTC for ${grouped(order.amount.toFixed(2))} THB on `);
      assert.match(newest.title, order.side === "buy" ? spent : /^Sell \S+ BTC for about \S+ THB on /);
      assert.match(
        newest.detail,
        new RegExp(`^Limit price: ${order.rate.toFixed(2).replace(".", "\\.")} THB`, "m"),
      );
      if (MARK.test(newest.detail)) assert.ok(newest.openMs >= 1000, `${newest.openMs} ms`);
      // One answer is for one order.
      newest = undefined;
      sent.push(order);
      return Promise.resolve({ orderId: String(sent.length) });
    };
    const window = await AssistedWindow.open(
      pick(random, ["prepare", "prepare", "prepare", "account", "market", "off"]),
      {
        client,
        openVenue: byKind({
          practice: open("http://127.0.0.1:1", "Practice", true),
          live: open("https://api.example.com", "Live", false),
        }),
      },
    );
    const mayServe = window.tools.length > 0;
    if (mayServe) await window.answersServers();
    let isTyped = false;

    const run = async (call: HostileCall): Promise<void> => {
      counts.calls += 1;
      switch (call.road) {
        case "tool":
          return void (await window.invoke(call.name, call.input));
        case "mcp":
          return void (mayServe && (await window.callOverSocket(call.name, call.input)));
        case "link":
          return await window.openLink(call.path, call.query);
        case "command":
          return await window.command(call.id, ...call.given);
      }
    };

    const answer = (): void => {
      const [question] = window.dialogs;
      if (!question) return;
      const isOrder = /play money|real money/.test(question.title);
      const isYes = random() < 0.6;
      counts.questions += 1;
      if (isOrder && isYes) counts.confirmed += 1;
      // What the user did not type says so.
      if (isOrder && !isTyped) assert.match(question.detail, MARK);
      const openMs = window.timers.now() - question.askedAt;
      if (isOrder && isYes && openMs < 1000) counts.tooSoon += 1;
      newest = { isYes, isOrder, title: question.title, detail: question.detail, openMs };
      question.answer(isYes);
    };

    const typeOrSubmit = (): void => {
      const { page } = window;
      if (!page) return;
      const { amount, preparedBy } = page.draft.message;
      if (amount !== "") {
        isTyped = preparedBy === undefined;
        page.submit();
      } else if (random() < 0.3) {
        page.edit((draft) => {
          draft.choosePair("THB_BTC");
          draft.setRate("100");
          draft.setAmount("777");
        });
      }
    };

    try {
      for (let made = 0; made < CALLS_A_WINDOW;) {
        const own = window.page?.draft.message;
        const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, () => hostileCall(random));
        made += calls.length;
        const running = calls.map(run);
        if (random() < 0.1) void window.desk.venue.select(pick(random, [practiceAccount, liveAccount]));
        await window.settle();
        await Promise.all(running);
        await window.settle();
        const after = window.page?.draft.message;
        // Figures that the user typed are changed by no assistant and no link. A command may choose the other side.
        const isByCommand = calls.some(({ road }) => road === "command");
        if (
          !isByCommand &&
          own &&
          own.amount !== "" &&
          own.preparedBy === undefined &&
          after?.account === own.account
        )
          assert.deepEqual([after.amount, after.side], [own.amount, own.side]);
        if (after?.preparedBy) counts.opened += 1;
        const roll = random();
        if (roll < 0.4) typeOrSubmit();
        else if (roll < 0.45) window.closeTicket();
        await window.settle(pick(random, [0, 300, 2000, 11_000, 70_000]));
        if (random() < 0.7) answer();
        await window.settle();
      }
      counts.sent += sent.length;
    } finally {
      await window.close();
    }
    assert.equal(client.calls.placeOrder, sent.length);
  }

  safetyLine(
    38,
    "Place nothing without a modal that a person answered, and the modal says who prepared the figures",
    async (proof) => {
      const windows = await proof.each(10_000 / CALLS_A_WINDOW, async ({ random }) => round(random));
      if (windows >= 20)
        for (const [name, count] of Object.entries(counts))
          assert.ok(count > 0, `${name}: ${JSON.stringify(counts)}`);
      return (
        `${counts.calls} hostile calls by tools, MCP, links and commands in ${windows} windows: ${counts.questions} ` +
        `questions, ${counts.confirmed} orders confirmed (${counts.tooSoon} of them within a second), ${counts.sent} sent, ` +
        "0 without a person's answer, 0 prepared ones unmarked"
      );
    },
  );
});

function grouped(figure: string): string {
  return figure.replace(/\B(?=(\d{3})+(?!\d))/g, ",").replace(".", "\\.");
}
