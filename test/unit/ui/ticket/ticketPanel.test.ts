import assert from "node:assert/strict";
import { panelTypes, settingKeys } from "../../../../src/contributions.ts";
import { decodeSymbols } from "../../../../src/exchange/wire/symbols.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { NoResponseError, RefusedError } from "../../../../src/exchange/errors.ts";
import type { FormDraft, FromTicket, ToTicket } from "../../../../src/protocol/ticket.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { systemTimers } from "../../../../src/time/timers.ts";
import { root } from "../../../../tools/paths.ts";
import { answerRead, inEnvelope } from "../../../support/builders/answers.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { formDraft, PRACTICE } from "../../../support/builders/formDraft.ts";
import { editorConfirmations } from "../../../support/desks/editorConfirmations.ts";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { ticketWindow } from "../../../support/fakes/ticketWindow.ts";
import {
  FakeClient,
  snapshotOf,
  tickerOf,
  walletOf,
  liveAccount,
  TEST_ACCOUNT,
} from "../../../support/fakes/venue.ts";
import { tabGroups, TabInputWebview } from "../../../support/fakes/tabs.ts";
import {
  changeSetting,
  type HollowPanel,
  loadUi,
  panels,
  person,
  shownMessages,
  userSettings,
  window as editorWindow,
} from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { TicketPanel } = await loadUi(() => import("../../../../src/ui/ticket/ticketPanel.ts"));
const ask = await editorConfirmations();

type Sent<Type extends ToTicket["type"]> = Extract<ToTicket, { type: Type }>;

/** How far the desk's clock is ahead, ms. */
let aheadMs = 0;

/** The ticket over a desk with a journal, two venues, and a client with the answers that the test puts in. */
async function openTicket() {
  const directory = temporaryFolder();
  const client = new FakeClient();
  client.tickersAnswer = async () =>
    snapshotOf(
      tickerOf("THB_BTC", { last: 3_101_800.53 }),
      tickerOf("THB_ETH", { last: 103_810.46 }),
      tickerOf("THB_ICE", { frozen: true }),
    );
  client.walletAnswer = async () => walletOf({ THB: "12403.9" });
  const desk = await openTestDesk({
    client,
    storage: directory,
    ask,
    timers: { ...systemTimers, now: () => systemTimers.now() + aheadMs },
  });
  const { venue, tickers, balances, orders } = desk;
  const extensionUri = { fsPath: root } as never;
  const window = ticketWindow(desk);
  const { activePair } = window;
  let ticket = new TicketPanel(desk, extensionUri, window);
  await tickers.refresh();
  await balances.refresh();
  const sent: ToTicket[] = [];
  let panel: HollowPanel | undefined;
  return {
    client,
    venue,
    tickers,
    orders,
    get ticket() {
      return ticket;
    },
    /** All messages to the page, oldest first. */
    sent,
    last: <Type extends ToTicket["type"]>(type: Type): Sent<Type> | undefined =>
      sent.findLast((message): message is Sent<Type> => message.type === type),
    /** Opens the ticket, with a page that is ready. */
    async open(...given: Parameters<typeof ticket.open>): Promise<void> {
      ticket.open(...given);
      panel = panels.pop() ?? assert.fail("The ticket did not open.");
      panel.onDidPost((message) => sent.push(message as ToTicket));
      await panel.page;
      panel.receive({ type: "ready", symbol: "" });
    },
    /** A ticket of another extension host, over the same records. */
    async reopen(): Promise<void> {
      ticket.dispose();
      ticket = new TicketPanel(desk, extensionUri, window);
      sent.length = 0;
      await this.open({});
    },
    receive: (message: FromTicket) => panel?.receive(message),
    activePair,
    /** The user closes the ticket. */
    shut: () => panel?.dispose(),
    /** Shows the ticket's page or hides it. A page that is hidden is destroyed. */
    show: (isVisible: boolean) => panel?.setVisible(isVisible),
    async close(): Promise<void> {
      ticket.dispose();
      desk.dispose();
      await orders.close();
    },
  };
}

const intent = { symbol: "THB_BTC", amount: "5000", rate: "2950000" };

const SAVINGS = "2".repeat(16);

describe("the order ticket", () => {
  let opened: Awaited<ReturnType<typeof openTicket>>;

  beforeEach(async () => {
    aheadMs = 0;
    shownMessages.length = 0;
    person.choose = ([first]) => first;
    opened = await openTicket();
  });
  afterEach(async () => {
    await opened.close();
    person.choose = () => undefined;
    userSettings.clear();
  });

  const typed = (given: Partial<FormDraft> = {}): FormDraft => ({
    ...formDraft({ symbol: "THB_BTC", amount: "1000", rate: "3000000" }, "practice"),
    ...given,
  });

  /** Submits a draft, and returns the last message of the ticket. */
  async function submit(draft: FormDraft): Promise<Sent<"outcome">> {
    opened.sent.length = 0;
    opened.receive({ type: "submit", draft });
    return await waitFor("the outcome", () => {
      const outcome = opened.last("outcome");
      return outcome?.busy === false ? outcome : undefined;
    });
  }

  it("shows a restored page the outcome of an order sent before the reload", async () => {
    await opened.open({});
    opened.client.bidAnswer = () => Promise.reject(new NoResponseError("placeBid", "timeout", "late"));
    const draft = typed();
    await submit(draft);
    const { orders } = opened;
    await opened.reopen();
    opened.receive({ type: "awaits", draft });
    const found = await waitFor(
      "the outcome",
      () => opened.last("outcome")?.notice && opened.last("outcome"),
    );
    assert.match(found?.notice?.text ?? "", /outcome of your order is unknown: 1,000\.00 THB/);
    assert.deepEqual([found?.ended, orders.own.length], [draft.id, 1]);
  });

  it("shows a restored page that its order was never sent, and keeps the draft", async () => {
    await opened.open({});
    opened.sent.length = 0;
    opened.receive({ type: "awaits", draft: typed() });
    const found = await waitFor(
      "the outcome",
      () => opened.last("outcome")?.notice && opened.last("outcome"),
    );
    assert.match(found?.notice?.text ?? "", /^Bidside stopped before your order was sent/);
    assert.equal(found?.ended, undefined);
  });

  it("sends a page that was opened again how long the exchange still accepts no orders", async () => {
    await opened.open({});
    const retryAt = Date.now() + 60_000;
    opened.client.bidAnswer = () =>
      Promise.reject(new RefusedError("placeBid", { code: 90, httpStatus: 429, retryAt }));
    await submit(typed());
    await opened.reopen();
    const wait = await waitFor("the wait", () => opened.last("wait"));
    assert.ok(50_000 < wait.ms && wait.ms <= 60_000, `${wait.ms} ms`);
  });

  it("closes the ticket of an extension host that stopped when another ticket opens", async () => {
    const before = tabGroups.all;
    const dead = { input: new TabInputWebview(`mainThreadWebview-${panelTypes.bidForm}`) };
    tabGroups.all = [{ viewColumn: 1, isActive: true, tabs: [dead] }] as never;
    try {
      await opened.open({});
      assert.deepEqual(tabGroups.all[0]?.tabs, []);
    } finally {
      tabGroups.all = before;
    }
  });

  it("gets the figures of Order Again on the exchange of the order", async () => {
    await opened.open(intent, { venue: "practice", origin: "http://127.0.0.1:9" });
    assert.deepEqual(opened.last("fill")?.fill, intent);
    assert.deepEqual(shownMessages, []);
  });

  it("refuses the figures of another account, says so, and offers to switch first", async () => {
    await opened.open({});
    opened.sent.length = 0;
    opened.ticket.open(intent, { venue: "live", origin: "https://api.example.com", account: TEST_ACCOUNT });
    await opened.venue.select(liveAccount);
    opened.ticket.open(intent, { venue: "practice", origin: "http://127.0.0.1:9" });
    opened.ticket.open(intent, { venue: "live", origin: "https://api.other.example", account: SAVINGS });
    assert.equal(opened.last("fill"), undefined);
    const warnings = shownMessages.filter(({ how }) => how === "warning");
    assert.deepEqual(
      warnings.map(({ text }) => /^This order is from (\S+), .* Nothing was filled in\./.exec(text)?.[1]),
      ["api.example.com", "Practice", "api.other.example"],
    );
    await waitFor("the offer to switch", () => shownMessages.some(({ how }) => how === "command"));
    opened.ticket.open(intent, { venue: "live", origin: "https://api.example.com", account: TEST_ACCOUNT });
    assert.deepEqual(opened.last("fill")?.fill, intent);
  });

  it("uses the last request from before its page was ready, without another exchange's figures", async () => {
    await opened.open({});
    opened.shut();
    opened.ticket.open(intent);
    opened.ticket.open({ symbol: "THB_ETH" });
    const panel = panels.pop() ?? assert.fail("The ticket did not open.");
    panel.onDidPost((message) => opened.sent.push(message as ToTicket));
    await panel.page;
    panel.receive({ type: "ready", symbol: "" });
    assert.deepEqual(opened.last("fill")?.fill, { symbol: "THB_ETH" }, "no rate of the other pair");
    panel.dispose();
    opened.ticket.open(intent);
    await opened.venue.select(liveAccount);
    const next = panels.pop() ?? assert.fail("The ticket did not open.");
    next.onDidPost((message) => opened.sent.push(message as ToTicket));
    await next.page;
    next.receive({ type: "ready", symbol: "" });
    assert.deepEqual(opened.last("fill")?.fill, {});
  });

  it("sends no draft that was typed for another account", async () => {
    await opened.open({});
    await opened.venue.select(liveAccount);
    await opened.tickers.refresh();
    const { notice } = await submit(typed());
    assert.match(notice?.text ?? "", /^Not sent: the account/);
    assert.equal(opened.client.calls.placeOrder, 0);
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "information" || how === "warning"),
      [],
    );
  });

  it("sends the page the account, also while its exchange opens", async () => {
    await opened.open({});
    assert.deepEqual(opened.last("market")?.exchange, PRACTICE);
    await opened.venue.select(liveAccount);
    assert.deepEqual(opened.last("market")?.exchange, {
      key: TEST_ACCOUNT,
      name: "api.example.com",
      live: true,
      offersAsks: false,
      offersPostOnly: false,
      offersBook: false,
    });
    const keys = opened.sent.flatMap((each) => (each.type === "market" ? each.exchange.key : []));
    assert.deepEqual([...new Set(keys)], ["practice", TEST_ACCOUNT]);
  });

  it("starts empty after it was closed, even for the pair that had figures", async () => {
    await opened.open({ symbol: "THB_BTC" });
    opened.receive({ type: "edited", draft: typed() });
    opened.shut();
    await opened.open({ symbol: "THB_BTC" });
    assert.deepEqual(opened.last("fill"), { type: "fill", fill: { symbol: "THB_BTC" } });
  });

  describe("and the active pair", () => {
    /** The pairs that the page was asked to follow. */
    const followed = (): string[] =>
      opened.sent.flatMap((each) => (each.type === "follow" ? each.symbol : []));

    it("follow each other", async () => {
      await opened.open({ symbol: "THB_BTC" });
      opened.show(true);
      opened.receive({ type: "ready", symbol: "THB_BTC" });
      assert.equal(opened.activePair.symbol, "THB_BTC");
      opened.activePair.set("THB_ETH");
      assert.deepEqual(followed(), ["THB_ETH"]);
      opened.receive({ type: "select", symbol: "THB_ETH" });
      opened.receive({ type: "select", symbol: "THB_ICE" });
      assert.equal(opened.activePair.symbol, "THB_ICE");
      assert.deepEqual(followed(), ["THB_ETH"], "the page's own choice is not sent back to it");
    });

    it("part while the ticket is locked, until a command names a pair", async () => {
      await opened.open({ symbol: "THB_BTC" });
      opened.receive({ type: "lock", locked: true });
      opened.activePair.set("THB_ETH");
      assert.deepEqual(followed(), []);
      opened.ticket.open({ side: "buy", symbol: "THB_ETH" });
      assert.deepEqual(opened.last("fill")?.fill, { side: "buy", symbol: "THB_ETH" });
      opened.receive({ type: "lock", locked: false });
      opened.activePair.set("THB_ICE");
      assert.deepEqual(followed(), ["THB_ICE"]);
    });

    it("meet again when a hidden page is shown", async () => {
      await opened.open({ symbol: "THB_BTC" });
      opened.show(true);
      opened.receive({ type: "ready", symbol: "THB_BTC" });
      opened.show(false);
      opened.activePair.set("THB_ETH");
      assert.deepEqual(followed(), []);
      opened.show(true);
      opened.receive({ type: "ready", symbol: "THB_BTC" });
      assert.deepEqual(followed(), ["THB_ETH"]);
      assert.equal(opened.activePair.symbol, "THB_ETH");
    });

    it("part while an order is being confirmed: its figures stay in view", async () => {
      await opened.open({ symbol: "THB_BTC" });
      person.choose = ([first]) => {
        opened.activePair.set("THB_ETH");
        return first;
      };
      await submit(typed());
      assert.deepEqual(followed(), []);
    });
  });

  it("shows that it checks the price, waits for confirmation once the question is open, then that it is sending", async () => {
    await opened.open({});
    let duringConfirmation = "";
    person.choose = ([first]) => {
      duringConfirmation = opened.last("outcome")?.notice?.text ?? "";
      return first;
    };
    await submit(typed());
    assert.equal(duringConfirmation, "Waiting for your confirmation…");
    const texts = opened.sent.flatMap((each) => (each.type === "outcome" ? (each.notice?.text ?? "") : []));
    assert.deepEqual(texts.slice(0, 3), [
      "Checking the current price…",
      "Waiting for your confirmation…",
      "Sending to Practice…",
    ]);
    assert.match(
      texts.at(-1) ?? "",
      /^Practice accepted your order: 1,000\.00 THB for BTC at 3,000,000\.00\./,
    );
  });

  it("takes the focus once the user has confirmed or refused, unless another editor is active by then", async () => {
    await opened.open({});
    const [yes, no] = [([first]: readonly string[]) => first, () => undefined];
    for (const [choose, isActive, kinds] of [
      [yes, true, ["sending", "focus"]],
      [yes, false, ["sending"]],
      [no, true, ["focus"]],
      [no, false, []],
    ] as const) {
      opened.show(isActive);
      person.choose = (offered) => {
        opened.sent.length = 0;
        return choose(offered);
      };
      await submit(typed());
      const before = opened.sent.flatMap((each) => {
        if (each.type === "outcome" && each.busy) return ["sending"];
        return each.type === "focus" ? ["focus"] : [];
      });
      assert.deepEqual(before, kinds);
    }
  });

  /** Submits a bid that gets no answer, and returns the id of its record. */
  async function loseResponse(): Promise<string> {
    opened.client.bidAnswer = () => Promise.reject(new NoResponseError("placeBid", "timeout", "late"));
    const { notice } = await submit(typed());
    assert.match(
      notice?.text ?? "",
      /^No response: your order may have been placed\. Checking your balance…/,
    );
    return opened.orders.own[0]?.intent.id ?? assert.fail("no record");
  }

  it("shows the outcome of an unknown order as soon as the order is settled", async () => {
    await opened.open({});
    for (const [by, as, sentence] of [
      ["check", "accepted", /^Your order was placed: 1,000\.00 THB .*\. Confirmed by the balance\.$/],
      ["user", "notPlaced", /^Your order was not placed and nothing was spent: .*\. Marked by you\.$/],
      ["check", "notPlaced", /nothing was spent: .*\. Confirmed by the order lists and the balance\.$/],
      ["check", "unresolved", /^The outcome of your order is unknown: .* Check your orders on Practice/],
    ] as const) {
      const id = await loseResponse();
      await opened.orders.settle(id, { by, as, evidence: "" });
      const { notice, busy, ended } = opened.last("outcome") ?? assert.fail();
      assert.match(notice?.text ?? "", sentence);
      assert.deepEqual([busy, ended], [false, undefined]);
    }
  });

  it("follows a placed order through partial fills to its end, without repeating itself", async () => {
    opened.client.bidAnswer = () => Promise.resolve({ orderId: "7" });
    await opened.open({});
    const sentence = () => /Order ID: 7\. (.*)$/.exec(opened.last("outcome")?.notice?.text ?? "")?.[1];
    await submit(typed());
    assert.equal(sentence(), "It fills when the market reaches your limit price.");
    const venue = opened.venue.signedIn ?? assert.fail();
    const order = { side: "buy", rate: new Decimal("3000000"), amount: new Decimal("1000") } as const;
    const part = testFill("a", "0.000133", "3000000");
    const report = testReport({ ...order, quantity: undefined, status: "open", fills: [part] });
    await opened.orders.recordReports([report], venue);
    assert.match(
      sentence() ?? "",
      /^\d\d\.\d% filled so far, at 3,000,000\.00 THB\. The rest stays open at your limit price\.$/,
    );
    opened.sent.length = 0;
    await opened.orders.recordReports([report], venue);
    assert.equal(opened.last("outcome"), undefined);
    await opened.orders.recordReports([{ ...report, status: "filled" }], venue);
    assert.equal(sentence(), "Filled at 3,000,000.00 THB.");
  });

  /** Places a bid of 1,000 THB at 3,000,000 on an exchange that reports and cancels orders; returns its report. */
  async function placeOpenBid(): Promise<OrderReport> {
    const { client } = opened;
    client.bidAnswer = () => Promise.resolve({ orderId: "7" });
    client.capabilities = { openOrders: async () => [], cancelOrder: async () => "accepted" } as never;
    await opened.open({});
    await submit(typed());
    const figures = { rate: new Decimal("3000000"), amount: new Decimal("1000"), quantity: undefined };
    return testReport({ side: "buy", ...figures, status: "open" });
  }
  const record = async (report: OrderReport): Promise<void> =>
    void (await opened.orders.recordReports([report], opened.venue.signedIn ?? assert.fail()));
  const shownLine = (): unknown[] => {
    const { line, actions } = opened.last("outcome")?.notice ?? {};
    return [line, actions?.map(({ title }) => title).join(" · ")];
  };

  it("shows an order in one line, with Cancel and Change while it is open, View and Again once it ended", async () => {
    const open = await placeOpenBid();
    assert.deepEqual(shownLine(), ["Accepted @ 3,000,000.00", "Cancel · Change"]);
    await record(open);
    assert.deepEqual(shownLine(), ["Open @ 3,000,000.00", "Cancel · Change"]);
    const part = testFill("a", "0.000133", "2999000.5");
    await record({ ...open, fills: [part] });
    assert.deepEqual(shownLine(), ["39.9% filled @ 2,999,000.50", "Cancel · Change"]);
    const filled = [part, testFill("b", "0.0002", "2999500.5")];
    await record({ ...open, fills: filled, status: "filled" });
    assert.deepEqual(shownLine(), ["Filled 0.000333 @ 2,999,300.80", "View · Again"]);
    changeSetting(settingKeys.hideAmounts, true);
    assert.deepEqual(shownLine(), ["Filled @ 2,999,300.80", "View · Again"]);
    for (const action of ["viewOrder", "orderAgain", "cancelOrder"] as const)
      opened.receive({ type: "action", action });
    const { id } = opened.orders.own[0]?.intent ?? assert.fail();
    assert.deepEqual(
      shownMessages.slice(-3).map(({ text, more }) => [text, more]),
      ["revealOrder", "orderAgain", "cancelOrder"].map((name) => [`bidside.${name}`, JSON.stringify([id])]),
    );
  });

  it("knows that the user sees the outcome of an order, until a minute has passed or the user has moved on", async () => {
    await record(await placeOpenBid());
    const name = opened.orders.own[0]?.name ?? assert.fail();
    assert.equal(opened.ticket.isShowing(name), false, "the ticket is hidden");
    opened.show(true);
    assert.equal(opened.ticket.isShowing(name), true);
    editorWindow.state.focused = false;
    assert.equal(opened.ticket.isShowing(name), false);
    editorWindow.state.focused = true;
    assert.equal(opened.ticket.isShowing({ ...name, orderId: "8" }), false);
    aheadMs = 60_000;
    assert.equal(opened.ticket.isShowing(name), false);
    aheadMs = 0;
    opened.receive({ type: "dismissed" });
    assert.equal(opened.ticket.isShowing(name), false);
  });

  it("fills in what is left of a changed order once the exchange has cancelled it, and nothing before", async () => {
    const open = await placeOpenBid();
    const part = { ...open, fills: [testFill("a", "0.0001", "3000000")] };
    await record(part);
    opened.receive({ type: "action", action: "changeOrder" });
    assert.equal(shownMessages.at(-1)?.text, "bidside.cancelOrder");
    await record({ ...part, fills: [...part.fills, testFill("b", "0.0001", "3000000")] });
    assert.equal(opened.last("fill"), undefined);
    await record({ ...part, status: "partlyFilledCancelled" });
    const figures = { side: "buy", symbol: "THB_BTC", amount: "398.5", rate: "3000000", postOnly: false };
    assert.deepEqual(opened.last("fill")?.fill, { ...figures, preparedBy: "order" });
  });

  it("shows an order changed from its row, closed or about another order, and fills in its rest once it is cancelled", async () => {
    const open = await placeOpenBid();
    await record(open);
    const order = (): OwnOrder => opened.orders.own[0] ?? assert.fail();
    opened.receive({ type: "dismissed" });
    opened.receive({ type: "select", symbol: "THB_ETH" });
    opened.sent.length = 0;
    await opened.ticket.changeOrder(order());
    const [first] = opened.sent;
    assert.ok(
      first?.type === "outcome" && !first.notice,
      "the page reports no dismissal of an earlier outcome",
    );
    assert.deepEqual(opened.last("fill")?.fill, { symbol: "THB_BTC" });
    assert.deepEqual(shownLine(), ["Open @ 3,000,000.00", "Cancel · Change"]);
    await record({ ...open, status: "cancelled" });
    const figures = { side: "buy", symbol: "THB_BTC", amount: "1000", rate: "3000000", postOnly: false };
    assert.deepEqual(opened.last("fill")?.fill, { ...figures, preparedBy: "order" });
  });

  it("shows nothing of an order that the user decided to keep when asked from its row", async () => {
    await record(await placeOpenBid());
    opened.receive({ type: "dismissed" });
    opened.sent.length = 0;
    person.choose = () => undefined;
    await opened.ticket.changeOrder(opened.orders.own[0] ?? assert.fail());
    assert.deepEqual(opened.sent, []);
  });

  it("fills in nothing for a changed order once another one was submitted", async () => {
    const open = await placeOpenBid();
    await record(open);
    const changed = opened.ticket.changeOrder(opened.orders.own[0] ?? assert.fail());
    opened.receive({ type: "submit", draft: typed({ id: "11111111-1111-4111-8111-111111111111" }) });
    await changed;
    await record({ ...open, status: "cancelled" });
    assert.equal(opened.last("fill"), undefined);
  });

  it("fills in nothing for an order that filled meanwhile, or that the user decided to keep", async () => {
    const open = await placeOpenBid();
    await record(open);
    person.choose = () => undefined;
    opened.receive({ type: "action", action: "changeOrder" });
    await Promise.resolve();
    await record({ ...open, status: "cancelled" });
    assert.equal(opened.last("fill"), undefined, "cancelled by someone else");
    opened.receive({ type: "dismissed" });
    person.choose = ([first]) => first;
    await submit(typed({ id: "11111111-1111-4111-8111-111111111111", amount: "2000" }));
    opened.receive({ type: "action", action: "changeOrder" });
    const fill = testFill("c", "0.000665", "3000000");
    await record({ ...open, amount: new Decimal("2000"), fills: [fill], status: "filled" });
    assert.equal(opened.last("fill"), undefined, "filled");
  });

  it("shows nothing about an order once the user moved on to another", async () => {
    await opened.open({});
    const id = await loseResponse();
    opened.receive({ type: "dismissed" });
    opened.sent.length = 0;
    await opened.orders.settle(id, { by: "user", as: "accepted", evidence: "" });
    assert.equal(opened.last("outcome"), undefined);
    opened.receive({ type: "ready", symbol: "THB_BTC" });
    assert.equal(opened.last("outcome")?.notice, undefined, "also for a page that is shown again");
  });

  it("shows a newcomer how to trade until it is dismissed, also after its page was hidden", async () => {
    opened.ticket.introduce("THB_BTC");
    await opened.open({});
    assert.equal(opened.last("outcome")?.notice?.text, "Click a price, type an amount, press Enter.");
    opened.receive({ type: "action", action: "dismissHint" });
    assert.equal(opened.last("outcome")?.notice, undefined);
    opened.receive({ type: "ready", symbol: "THB_BTC" });
    assert.equal(opened.last("outcome")?.notice, undefined);
  });

  it("shows nothing about an order once the ticket was closed", async () => {
    await opened.open({});
    const id = await loseResponse();
    opened.shut();
    await opened.orders.settle(id, { by: "user", as: "accepted", evidence: "" });
    opened.sent.length = 0;
    await opened.open({ symbol: "THB_ETH" });
    assert.equal(opened.last("outcome")?.notice, undefined);
  });

  /** The problems of a draft while it is typed. */
  function problemsOf(given: Partial<FormDraft>): Sent<"problems">["problems"] {
    const draft = typed(given);
    opened.receive({ type: "edited", draft });
    const sent = opened.last("problems") ?? assert.fail("no problems were sent");
    assert.deepEqual(sent.draft, draft);
    return sent.problems;
  }

  it("reports a problem at once, and marks a problem as final if more typing cannot solve it", async () => {
    await opened.open({});
    assert.deepEqual(problemsOf({}), {});
    assert.deepEqual(problemsOf({ amount: "1k" }), {
      amount: {
        text: "Leave out letters and currency signs. Use digits, such as 1000 or 0.25.",
        isFinal: true,
      },
    });
    assert.deepEqual(problemsOf({ amount: "5,000" }), {
      amount: { text: "5,000 can mean 5000 or 5.000. Enter one of the two.", isFinal: false },
    });
    assert.deepEqual(problemsOf({ amount: "20000" }), {
      amount: { text: "Exceeds your available balance of 12,403.90 THB.", isFinal: true },
    });
    assert.deepEqual(problemsOf({ amount: "5" }), {
      amount: { text: "The minimum is 10.00 THB.", isFinal: false },
    });
    assert.equal(problemsOf({ amount: "5.5" }).amount?.isFinal, true);
    assert.equal(problemsOf({ rate: "3800000" }).rate?.isFinal, true);
    assert.match(problemsOf({ symbol: "THB_ICE", rate: "100" }).pair?.text ?? "", /^This pair is frozen/);
    assert.match(
      problemsOf({ symbol: "THB_NONE" }).pair?.text ?? "",
      /^The exchange no longer lists this pair/,
    );
  });

  it("reports no problem of an empty field", async () => {
    await opened.open({});
    assert.deepEqual(problemsOf({ symbol: "", amount: "", rate: "" }), {});
    assert.deepEqual(
      problemsOf({ amount: "", quantity: "0.", sizedBy: "quantity" }).quantity?.isFinal,
      false,
    );
  });

  it("reports the problem of a typed quantity, and the amount's as final if it is too large", async () => {
    await opened.open({});
    const wrong = problemsOf({ amount: "", quantity: "1k", sizedBy: "quantity" });
    assert.deepEqual(Object.keys(wrong), ["quantity"]);
    assert.equal(wrong.quantity?.isFinal, true);
    assert.equal(
      problemsOf({ amount: "3.01", sizedBy: "quantity", quantity: "0.001" }).amount?.isFinal,
      false,
    );
    assert.equal(problemsOf({ amount: "99999", sizedBy: "quantity", quantity: "1" }).amount?.isFinal, true);
  });

  it("sends prices of any length as the exchange quotes them, with enough decimals", async () => {
    await opened.open({});
    opened.client.tickersAnswer = async () =>
      snapshotOf(
        tickerOf("THB_PEPE", { last: 0.000030000000000000004, bestBid: 1.5e-25, bestAsk: undefined }),
      );
    await opened.tickers.refresh();
    opened.receive({ type: "select", symbol: "THB_PEPE" });
    const { last, bestBid, bestAsk, places } = opened.last("quote")?.quote ?? assert.fail();
    assert.deepEqual(
      [last, bestBid, bestAsk, places],
      ["0.00003", "0.00000000000000000000000015", undefined, 16],
    );
    assert.match(opened.last("market")?.pairs[0]?.last ?? "", /^0\.000030+$/);
  });

  it("sends the exchange's limits and the coins' names as soon as they are known, without waiting for a price", async () => {
    const rows = [
      { symbol: "BTC_THB", name: "Bitcoin", min_quote_size: 2000, price_step: "0.5", freeze_sell: true },
    ];
    const read = decodeSymbols(answerRead(inEnvelope(rows, "B")), "baseFirst") ?? assert.fail();
    opened.client.capabilities = { symbols: () => Promise.resolve(read) };
    await opened.open({});
    opened.receive({ type: "select", symbol: "THB_BTC" });
    assert.equal(opened.last("quote")?.quote.limits.text, "Default limits: minimum 10.00 THB.");
    await waitFor(
      "the limits",
      () => opened.last("quote")?.quote.limits.text.startsWith("Practice") === true,
    );
    const { text, rateStep } = opened.last("quote")?.quote.limits ?? assert.fail();
    assert.equal(
      text,
      "Practice does not accept sell orders for BTC/THB at the moment. Limits of Practice: minimum 2,000.00 THB, prices in steps of 0.5 THB.",
    );
    assert.equal(rateStep, "0.5");
    const names = opened.last("market")?.pairs.map(({ symbol, name }) => [symbol, name]);
    assert.deepEqual(names?.slice(0, 2), [
      ["THB_BTC", "Bitcoin"],
      ["THB_ETH", undefined],
    ]);
    assert.equal(problemsOf({ rate: "3000000" }).amount?.text, "The minimum is 2,000.00 THB.");
    assert.deepEqual(problemsOf({ amount: "3000", rate: "3000000.25" }).rate, {
      text: "The price must be in steps of 0.5 THB.",
      isFinal: true,
    });
    opened.receive({ type: "select", symbol: "THB_ETH" });
    assert.equal(opened.last("quote")?.quote.limits.text, "Default limits: minimum 10.00 THB.");
  });

  it("refuses the side that the exchange has frozen, and says which side", async () => {
    const rows = [{ symbol: "BTC_THB", freeze_buy: true }];
    const read = decodeSymbols(answerRead(inEnvelope(rows, "B")), "baseFirst") ?? assert.fail();
    opened.client.capabilities = { symbols: () => Promise.resolve(read) };
    await opened.open({});
    opened.receive({ type: "select", symbol: "THB_BTC" });
    await waitFor(
      "the limits",
      () => opened.last("quote")?.quote.limits.text.startsWith("Practice") === true,
    );
    assert.deepEqual(problemsOf({}).pair, {
      text: "The exchange does not accept buy orders for this pair at the moment.",
      isFinal: true,
    });
    assert.match(
      opened.last("quote")?.quote.limits.text ?? "",
      /^Practice does not accept buy orders for BTC\/THB at the moment\./,
    );
  });

  it("masks the balance in its messages in privacy mode", async () => {
    await opened.open({});
    userSettings.set(settingKeys.hideAmounts, true);
    assert.equal(problemsOf({ amount: "20000" }).amount?.text, "Exceeds your available balance of ••• THB.");
  });
});
