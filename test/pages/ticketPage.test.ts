import assert from "node:assert/strict";
import type { FieldProblems, FormDraft } from "../../src/protocol/ticket.ts";
import { PRACTICE } from "../support/builders/formDraft.ts";
import { fontNames } from "../support/pages/fonts.ts";
import { LIVE, marketOf, outcomeOf, pairOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

const SYMBOLS = ["THB_ADA", "THB_BCH", "THB_BTC", "THB_ETH", "THB_WBTC", "USDT_BTC"];

describe("the page of the order ticket", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open();
    await ticket.show(marketOf(SYMBOLS));
  });
  afterEach(() => ticket.close());

  const value = (id: string): Promise<string> => ticket.get(id).inputValue();
  const draft = async (): Promise<FormDraft> =>
    (await ticket.last("edited"))?.draft ?? assert.fail("no draft was sent");

  /** Chooses BTC at 100 THB, with 1,000 THB available. */
  async function chooseBtc(): Promise<void> {
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
  }

  /** Answers the page's newest draft as the host does. */
  async function answer(problems: FieldProblems): Promise<void> {
    await ticket.show({ type: "problems", draft: await draft(), problems });
  }

  it("shows a price of any length, and replaces the old price by each new one", async () => {
    await chooseBtc();
    assert.equal(await ticket.text("last"), "100.00");
    const tiny = { last: "0.00003", bestBid: "0.00000000000000000000000015", bestAsk: undefined, places: 26 };
    await ticket.show(quoteOf("THB_BTC", tiny));
    assert.equal(await ticket.text("last"), "0.00003000000000000000000000");
    assert.equal(await ticket.text("best-bid"), "0.00000000000000000000000015");
    assert.equal(await ticket.text("best-ask"), "–");
    await ticket.show(quoteOf("THB_BTC", { last: `0.${"0".repeat(34)}15`, places: 30 }));
    assert.equal(await ticket.text("last"), "1.5E-35");
  });

  it("draws only the newest of the prices that came within a frame", async () => {
    await chooseBtc();
    const quotes = Array.from({ length: 200 }, (_, index) =>
      quoteOf("THB_BTC", { last: String(201 + index) }),
    );
    assert.equal(await ticket.changesOf("#last", ...quotes), 1);
    assert.deepEqual([await ticket.text("last"), await value("rate")], ["400.00", "100.00"]);
  });

  it("gives a new pair its own last price, and no figure that was typed for the earlier pair", async () => {
    await chooseBtc();
    assert.equal(await value("rate"), "100.00");
    await ticket.get("rate").fill("90");
    await ticket.get("amount").fill("500");
    await ticket.choose("eth");
    assert.equal(await value("rate"), "");
    await ticket.show(quoteOf("THB_BTC", { last: "77" }), quoteOf("THB_ETH", { last: "3.5" }));
    assert.deepEqual([await value("rate"), await value("amount")], ["3.50", ""]);
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC", { last: "77" }));
    assert.deepEqual([await value("rate"), await value("amount")], ["90.00", "500"]);
  });

  it("drops its figures when the account changes", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    await ticket.get("rate").fill("90");
    const { id } = await draft();
    await ticket.show(
      marketOf([], {
        exchange: { ...PRACTICE, name: "" },
      }),
    );
    assert.equal(await value("amount"), "500.00", "while the exchange opens again");
    await ticket.show(marketOf(SYMBOLS, { exchange: LIVE }), quoteOf("THB_BTC", { last: "80" }));
    assert.deepEqual(
      [await value("pair"), await value("rate"), await value("amount"), await value("quantity")],
      ["BTC/THB", "80", "", ""],
    );
    const moved = await draft();
    assert.equal(moved.account, LIVE.key);
    assert.notEqual(moved.id, id);
  });

  it("shows an unlisted pair under its own name, without another pair's price", async () => {
    await chooseBtc();
    const fill = { symbol: "THB_GONE", amount: "500", rate: "7" };
    await ticket.show({ type: "fill", fill });
    const { symbol, amount, rate } = await draft();
    assert.deepEqual({ symbol, amount, rate }, fill);
    assert.equal(await value("pair"), "THB_GONE");
    assert.equal(await ticket.text("last"), "–");
    assert.equal((await ticket.last("select"))?.symbol, "THB_GONE");
  });

  it("hides the price of a pair that is no longer listed", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    await ticket.show(marketOf(SYMBOLS.filter((symbol) => symbol !== "THB_BTC")));
    assert.deepEqual([await ticket.text("last"), await ticket.text("left")], ["–", "–"]);
    assert.equal(await value("amount"), "500");
  });

  it("computes the quantity from the amount, and the amount from the quantity", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("200");
    assert.equal(await value("quantity"), "1.995");
    assert.equal(await ticket.text("submit"), "Buy about 1.995 BTC for 200.00 THB…");
    await ticket.get("quantity").fill("1");
    assert.equal(await value("amount"), "100.26");
    await ticket.get("rate").fill("50");
    assert.deepEqual([await value("quantity"), await value("amount")], ["1", "50.13"]);
    await ticket.get("amount").fill("200");
    await ticket.get("rate").fill("100");
    assert.deepEqual([await value("quantity"), await value("amount")], ["1.995", "200.00"]);
  });

  it("understands a figure with groups, k, m or its currency, shows it grouped when left, and keeps what is no number", async () => {
    await chooseBtc();
    const amount = ticket.get("amount");
    for (const [typed, plain, shown] of [
      ["5,000.50", "5000.50", "5,000.50"],
      ["5 000,5", "5000.5", "5,000.50"],
      ["5,000", "5000", "5,000.00"],
      ["10k", "10000", "10,000.00"],
      ["1.5m", "1500000", "1,500,000.00"],
      ["5,000k", "5000000", "5,000,000.00"],
      ["฿500", "500", "500.00"],
      ["1,500.50 thb", "1500.50", "1,500.50"],
      ["5 BTC", "5 BTC", "5 BTC"],
      ["1,2,3", "1,2,3", "1,2,3"],
    ] as const) {
      await amount.fill("");
      await amount.pressSequentially(typed);
      assert.deepEqual([(await draft()).amount, await value("amount")], [plain, typed]);
      await amount.blur();
      assert.equal(await value("amount"), shown);
    }
  });

  it("groups figures in their fields as it does its prices, and not while they are edited", async () => {
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC", { last: "3101800.5", bestBid: "3101799.5" }));
    assert.deepEqual([await value("rate"), await ticket.text("last")], ["3,101,800.50", "3,101,800.50"]);
    await ticket.get("use-best-bid").click();
    assert.equal(await value("rate"), "3,101,799.50");
    await ticket.get("quantity").fill("12345.6789");
    await ticket.get("amount").focus();
    assert.equal(await value("quantity"), "12,345.6789");
    assert.equal(await value("amount"), "38389795127");
    await ticket.get("amount").press("Shift+Tab");
    assert.equal(await value("amount"), "38,389,795,127.00");
  });

  it("keeps every character and the caret while prices arrive, and the caret's digit between its forms", async () => {
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC", { last: "3101800.5" }));
    const rate = ticket.get("rate");
    const state = (): Promise<unknown> =>
      rate.evaluate((input) => {
        const { value, selectionStart, selectionEnd } = input as unknown as Record<string, unknown>;
        return [value, selectionStart, selectionEnd];
      });
    // The pointer marks from the unit to the left end: all digits.
    const { x, y, width, height } = (await rate.boundingBox()) ?? assert.fail();
    await ticket.page.mouse.move(x + width - 2, y + height / 2);
    await ticket.page.mouse.down();
    assert.deepEqual(await state(), ["3,101,800.50", 12, 12]);
    await ticket.page.mouse.move(x + 2, y + height / 2);
    await ticket.page.mouse.up();
    assert.deepEqual(await state(), ["3101800.5", 0, 9]);
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await rate.press(key);
    await ticket.get("amount").focus();
    assert.deepEqual(await state(), ["3,101,800.50", 3, 3]);
    await rate.focus();
    assert.deepEqual(await state(), ["3101800.5", 2, 2]);
    for (const [index, key] of [..."98765"].entries()) {
      await rate.press(key);
      await ticket.show(quoteOf("THB_BTC", { last: `310180${index}.5` }));
    }
    assert.deepEqual(await state(), ["319876501800.5", 7, 7]);
    await rate.press("Tab");
    await ticket.page.keyboard.press("Shift+Tab");
    assert.deepEqual(await state(), ["319876501800.5", 0, 14], "Tab selects the whole figure");
  });

  it("shows the distance of the rate from the last price", async () => {
    await chooseBtc();
    await ticket.get("rate").fill("1000");
    assert.equal(await ticket.text("rate-distance"), "900.00% above the last price");
    await ticket.get("use-last").click();
    assert.equal(await ticket.text("rate-distance"), "at the last price");
    await ticket.get("use-best-bid").click();
    assert.equal(await ticket.text("rate-distance"), "0.50% below the last price");
  });

  it("submits an edited draft under a new id, also after a crash", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    await ticket.get("submit").click();
    const first = (await ticket.last("submit"))?.draft ?? assert.fail();
    const back = await TicketPage.open(await ticket.state());
    try {
      await back.show(marketOf(SYMBOLS), quoteOf("THB_BTC"));
      await back.get("submit").click();
      assert.deepEqual((await back.last("submit"))?.draft, first);
      await back.show(outcomeOf());
      await back.get("amount").fill("600");
      await back.get("submit").click();
      const second = (await back.last("submit"))?.draft ?? assert.fail();
      assert.notEqual(second.id, first.id);
    } finally {
      await back.close();
    }
  });

  it("shows an outcome until the first edit, and reports the edit to the host", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    const notice = { tone: "warning", text: "No response: your order may have been placed." } as const;
    for (const edit of [
      () => ticket.get("amount").fill("501"),
      () => ticket.get("rate").press("ArrowUp"),
      () => ticket.choose("eth"),
    ]) {
      await ticket.show(outcomeOf({ notice }));
      const before = (await ticket.sent()).filter(({ type }) => type === "dismissed").length;
      await ticket.show(quoteOf("THB_BTC", { last: "101" }));
      assert.equal(await ticket.text("status-text"), notice.text, "a price is no edit");
      await edit();
      assert.equal(await ticket.text("status-text"), "");
      assert.equal((await ticket.sent()).filter(({ type }) => type === "dismissed").length, before + 1);
    }
  });

  it("keeps a hint while the user types, and dismisses it by its button", async () => {
    await chooseBtc();
    const notice = {
      tone: "info",
      text: "Click a price, type an amount, press Enter.",
      actions: [{ id: "dismissHint", title: "Got It" }],
      isHint: true,
    } as const;
    await ticket.show(outcomeOf({ notice }));
    await ticket.get("amount").fill("501");
    await ticket.get("rate").press("ArrowUp");
    assert.equal(await ticket.text("status-text"), notice.text);
    await ticket.page.getByRole("button", { name: "Got It" }).click();
    const sent = await ticket.sent();
    assert.deepEqual(sent.at(-1), { type: "action", action: "dismissHint" });
    assert.ok(!sent.some(({ type }) => type === "dismissed"));
  });

  it("shows an order and its actions in one line at 360 pixels, which Tab and Enter reach from the button", async () => {
    await chooseBtc();
    await ticket.resize({ width: 360, height: 500 });
    const text = "Practice accepted your order: 50,000.00 THB for BTC. Filled at 3,028,380.93 THB.";
    const line = "Filled 0.01646919 @ 3,028,380.93";
    const view = { id: "viewOrder", title: "View", tooltip: "Show the order in Orders" } as const;
    const actions = [view, { id: "orderAgain", title: "Again" } as const];
    await ticket.show(outcomeOf({ notice: { tone: "good", text, line, actions } }));
    for (const font of fontNames) {
      await ticket.useLook("light2026", font);
      const { height } = (await ticket.get("outcome").boundingBox()) ?? assert.fail();
      assert.ok(height < 40, `${height} px in the ${font} font`);
    }
    assert.ok(await ticket.page.getByText(line).isVisible());
    assert.equal(await ticket.get("status").getAttribute("title"), text);
    assert.ok(
      await ticket.page.getByRole("button", { name: "Again", exact: true }).isVisible(),
      "no dot in its name",
    );
    await ticket.get("submit").focus();
    await ticket.page.keyboard.press("Tab");
    await ticket.page.keyboard.press("Enter");
    assert.equal((await ticket.last("action"))?.action, "viewOrder");
    assert.equal(await ticket.last("submit"), undefined);
    await ticket.page.keyboard.press("Tab");
    await ticket.show(
      outcomeOf({ notice: { tone: "good", text, line, actions: [actions[1] ?? view, view] } }),
    );
    await ticket.page.keyboard.press("Enter");
    assert.equal((await ticket.last("action"))?.action, "viewOrder", "the button with the focus stays");
  });

  it("gives the focus back to the field that had it before a dialog", async () => {
    await chooseBtc();
    await ticket.get("amount").focus();
    await ticket.page.evaluate("document.activeElement.blur(); dispatchEvent(new Event('focus'))");
    await ticket.page.keyboard.type("12");
    assert.equal(await ticket.get("amount").inputValue(), "12");
  });

  it("takes the focus for the field that had it before the confirmation, or for the amount after a click on the button", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("100");
    const fieldAfterDialog = async (): Promise<string> => {
      await ticket.page.evaluate("document.activeElement.blur()");
      await ticket.show({ type: "focus" });
      return await ticket.page.evaluate<string>("document.activeElement.id");
    };
    await ticket.get("rate").focus();
    assert.equal(await fieldAfterDialog(), "rate");
    await ticket.get("submit").click();
    assert.equal(await fieldAfterDialog(), "amount");
  });

  it("says that an order is on its way, also while the user edits", async () => {
    await chooseBtc();
    await ticket.show(outcomeOf({ notice: { tone: "info", text: "Sending to Practice…" }, busy: true }));
    await ticket.get("amount").fill("501");
    assert.equal(await ticket.text("status-text"), "Sending to Practice…");
    assert.ok(await ticket.get("submit").isDisabled());
  });

  it("fills in a share of a hidden balance without showing the amount, and names the share", async () => {
    await chooseBtc();
    await ticket.show(quoteOf("THB_BTC", { hidden: true, available: "987654.32" }));
    assert.equal(await ticket.text("available"), "••• THB");
    await ticket.page.getByRole("button", { name: "50%" }).click();
    assert.equal((await draft()).amount, "493827.16");
    assert.equal(await ticket.get("amount").getAttribute("placeholder"), "50% of the available balance");
    for (const id of ["amount", "quantity"]) assert.equal(await value(id), "");
    assert.equal(await ticket.text("submit"), "Buy…");
    const shown = await ticket.page.locator("body").innerText();
    assert.doesNotMatch(shown, /493|987|4,?938|\d\d\d\d/, "no amount, fee, quantity or total");
    assert.equal(await ticket.text("left-spoken"), "hidden THB");
    await ticket.show(quoteOf("THB_BTC", { hidden: true, available: "5" }));
    assert.equal(await ticket.get("amount").getAttribute("placeholder"), "•••");
    await ticket.show(quoteOf("THB_BTC", { available: "5" }));
    assert.equal(await value("amount"), "493,827.16");
  });

  it("forgets a hidden amount that is deleted or typed over", async () => {
    await chooseBtc();
    await ticket.show(quoteOf("THB_BTC", { hidden: true }));
    await ticket.page.getByRole("button", { name: "100%" }).click();
    await ticket.get("amount").press("Backspace");
    assert.deepEqual([(await draft()).amount, (await draft()).share], ["", ""]);
    await ticket.page.getByRole("button", { name: "100%" }).click();
    await ticket.get("amount").pressSequentially("12");
    assert.deepEqual([(await draft()).amount, await value("amount")], ["12", "12"]);
  });

  it("shows an error at once if more typing cannot fix it, and other errors when the field is left", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("5");
    await answer({ amount: { text: "The minimum is 10.00 THB.", isFinal: false } });
    assert.equal(await ticket.text("amount-error"), "");
    await ticket.get("amount").blur();
    assert.equal(await ticket.text("amount-error"), "The minimum is 10.00 THB.");
    assert.equal(await ticket.get("amount").getAttribute("aria-invalid"), "true");
    await ticket.get("amount").fill("50");
    await answer({});
    assert.equal(await ticket.text("amount-error"), "");
    await ticket.get("amount").fill("1x");
    await answer({ amount: { text: "Use digits and at most one decimal point.", isFinal: true } });
    assert.equal(await ticket.text("amount-error"), "Use digits and at most one decimal point.");
    assert.equal(await ticket.text("total"), "–");
  });

  it("shows no error of the amount while the user types the quantity", async () => {
    await chooseBtc();
    await ticket.get("quantity").fill("0.01");
    await answer({ amount: { text: "The minimum is 10.00 THB.", isFinal: false } });
    assert.equal(await ticket.text("amount-error"), "");
    await ticket.get("quantity").blur();
    assert.equal(await ticket.text("amount-error"), "The minimum is 10.00 THB.");
  });

  it("ignores an answer for a draft that was edited since", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("1x");
    const before = await draft();
    await ticket.get("amount").fill("100");
    const problems = { amount: { text: "Use digits.", isFinal: true } };
    await ticket.show({ type: "problems", draft: before, problems });
    assert.equal(await ticket.text("amount-error"), "");
  });

  it("removes the error of a missing rate when the last price fills the field", async () => {
    await ticket.choose("btc");
    await ticket.show(outcomeOf({ fields: { rate: "Enter the highest price to pay." } }));
    assert.equal(await ticket.text("rate-error"), "Enter the highest price to pay.");
    await ticket.show(quoteOf("THB_BTC"));
    assert.deepEqual([await value("rate"), await ticket.text("rate-error")], ["100", ""]);
  });

  it("changes the rate by arrow keys, ten steps with Shift, and says so in the tooltip", async () => {
    await chooseBtc();
    const rate = ticket.get("rate");
    assert.match((await rate.getAttribute("title")) ?? "", /arrow keys change the price by 0\.1%/);
    for (const [key, wanted] of [
      ["ArrowUp", "100.1"],
      ["ArrowDown", "100"],
      ["Shift+ArrowUp", "101"],
      ["Shift+ArrowDown", "100"],
    ] as const) {
      await rate.press(key);
      assert.equal(await value("rate"), wanted, key);
    }
    await ticket.get("rate-up").click();
    assert.equal(await value("rate"), "100.10");
  });
});

describe("the pair of the order ticket", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open();
    const frozen = pairOf("THB_ICE", { frozen: true });
    await ticket.show(marketOf([], { pairs: [...SYMBOLS.map((symbol) => pairOf(symbol)), frozen] }));
    await ticket.get("pair").focus();
  });
  afterEach(() => ticket.close());

  const value = (id: string): Promise<string> => ticket.get(id).inputValue();
  const rows = (): Promise<string[]> => ticket.page.getByRole("option").allInnerTexts();
  const names = async (): Promise<string[]> => (await rows()).map((row) => row.split("\n")[0] ?? "");
  const active = async (): Promise<string> => {
    const id = await ticket.get("pair").getAttribute("aria-activedescendant");
    return id === null ? "" : ((await ticket.get(id).locator(".name").textContent()) ?? "");
  };
  const chosen = async (): Promise<string | undefined> => (await ticket.last("select"))?.symbol;

  it("is found by typing part of its base asset or symbol, the best match first", async () => {
    await ticket.get("pair").pressSequentially("bt");
    assert.deepEqual(await names(), ["BTC/THB", "BTC/USDT", "WBTC/THB"]);
    assert.equal(await active(), "BTC/THB");
    assert.equal(await ticket.get("pair").getAttribute("aria-expanded"), "true");
    await ticket.get("pair").fill("usdt_");
    assert.deepEqual(await names(), ["BTC/USDT"]);
  });

  it("is chosen by keys, with price and change beside each pair, and submits nothing", async () => {
    await ticket.get("pair").press("ArrowDown");
    assert.equal((await rows()).length, SYMBOLS.length + 1);
    assert.match((await rows())[0] ?? "", /^ADA\/THB\s+100\.00\s+▲ \+1\.50%$/);
    assert.match((await rows()).at(-1) ?? "", /frozen/);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) await ticket.get("pair").press(key);
    assert.equal(await active(), "BCH/THB");
    await ticket.get("pair").press("Enter");
    assert.equal(await chosen(), "THB_BCH");
    assert.equal(await ticket.get("pair").inputValue(), "BCH/THB");
    assert.equal(await ticket.get("pair-list").isVisible(), false);
    assert.equal(await ticket.last("submit"), undefined);
    await ticket.get("pair").press("ArrowUp");
    assert.equal(await active(), "BCH/THB", "the list opens at the chosen pair");
  });

  it("is chosen by a click, and stays the same when the list is closed without a choice", async () => {
    await ticket.get("pair").click();
    await ticket.page.getByRole("option", { name: "ETH/THB" }).click();
    assert.equal(await chosen(), "THB_ETH");
    await ticket.get("pair").fill("ada");
    await ticket.get("pair").press("Escape");
    assert.equal(await ticket.get("pair").inputValue(), "ETH/THB");
    await ticket.get("pair").fill("ada");
    await ticket.get("amount").focus();
    assert.equal(await ticket.get("pair").inputValue(), "ETH/THB");
  });

  it("gives the focus to the amount when it is chosen, and Enter there submits", async () => {
    await ticket.choose("eth");
    await ticket.show(quoteOf("THB_ETH"));
    await ticket.page.keyboard.type("500");
    assert.equal(await value("amount"), "500");
    await ticket.page.keyboard.press("Enter");
    const { symbol, amount } = (await ticket.last("submit"))?.draft ?? assert.fail();
    assert.deepEqual([symbol, amount], ["THB_ETH", "500"]);
  });

  it("follows the pair in front without taking the focus, and each pair keeps its figures", async () => {
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
    await ticket.page.keyboard.type("500");
    await ticket.get("rate").focus();
    await ticket.show({ type: "follow", symbol: "THB_ETH" }, quoteOf("THB_ETH", { last: "3.5" }));
    assert.deepEqual(
      [await value("pair"), await value("rate"), await value("amount")],
      ["ETH/THB", "3.5", ""],
    );
    assert.ok(await ticket.get("rate").evaluate((input) => input.matches(":focus")));
    const back = await TicketPage.open(await ticket.state());
    try {
      await back.show(marketOf(SYMBOLS), { type: "follow", symbol: "THB_BTC" });
      assert.equal(await back.get("amount").inputValue(), "", "another sitting of the window");
    } finally {
      await back.close();
    }
    await ticket.show({ type: "follow", symbol: "THB_BTC" });
    assert.equal(await value("amount"), "500.00");
  });

  it("is held by the lock, also for a page that is shown again", async () => {
    await ticket.get("lock").click();
    assert.equal((await ticket.last("lock"))?.locked, true);
    const back = await TicketPage.open(await ticket.state());
    try {
      assert.equal((await back.last("lock"))?.locked, true);
      assert.equal(await back.get("lock").getAttribute("aria-pressed"), "true");
    } finally {
      await back.close();
    }
  });

  it("says that nothing matches, and after Enter or Tab that the pair has not changed", async () => {
    await ticket.choose("eth");
    await ticket.get("pair").fill("xyz");
    assert.ok(await ticket.page.getByText("No matching pairs.").isVisible());
    await ticket.get("pair").press("Enter");
    assert.equal(await chosen(), "THB_ETH");
    assert.equal(await ticket.last("submit"), undefined);
    assert.equal(await ticket.get("pair").inputValue(), "xyz");
    const unchanged = "No pair matches “xyz”. The pair has not changed.";
    assert.equal(await ticket.text("pair-error"), unchanged);
    assert.equal(await ticket.get("pair-nothing").isVisible(), false, "it would cover the error");
    await ticket.get("pair").press("Tab");
    assert.equal(await ticket.get("pair").inputValue(), "ETH/THB");
    assert.equal(await ticket.text("pair-error"), unchanged);
    await ticket.choose("eth");
    assert.equal(await ticket.text("pair-error"), "");
    await ticket.get("pair").fill("xyz");
    await ticket.get("pair").press("Tab");
    assert.equal(await ticket.text("pair-error"), unchanged);
  });

  it("has current prices in its open list, and the active row stays in place", async () => {
    await ticket.get("pair").press("ArrowDown");
    await ticket.get("pair").press("ArrowDown");
    const pairs = SYMBOLS.map((symbol) => pairOf(symbol, { last: "101.25" }));
    await ticket.show(marketOf([], { pairs: [...pairs, pairOf("THB_ICE")] }));
    assert.match((await rows())[0] ?? "", /101\.25/);
    assert.equal(await active(), "ADA/THB");
  });
});

describe("the order ticket on a live exchange", () => {
  it("looks different at a glance: a line along the top, a filled badge, other words in it", async () => {
    const ticket = await TicketPage.open();
    try {
      const style = () =>
        ticket.page.evaluate(() => {
          const { document, getComputedStyle } = globalThis as unknown as {
            document: { body: unknown; getElementById(id: string): unknown };
            getComputedStyle(element: unknown, part?: string): { content: string; borderRadius: string };
          };
          const badge = getComputedStyle(document.getElementById("venue"));
          return { line: getComputedStyle(document.body, "::before").content, badge: badge.borderRadius };
        });
      await ticket.show(marketOf(SYMBOLS));
      const practice = await style();
      assert.equal(await ticket.text("venue"), "Practice · play money");
      await ticket.show(marketOf(SYMBOLS, { exchange: LIVE }));
      const live = await style();
      assert.equal(await ticket.text("venue"), "Live · api.example.com");
      assert.equal(practice.line, "none");
      assert.notEqual(live.line, "none");
      assert.notEqual(live.badge, practice.badge);
    } finally {
      await ticket.close();
    }
  });
});
