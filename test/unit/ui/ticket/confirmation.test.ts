import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { guardByBook, bookFillOf } from "../../../../src/market/book/bookGuard.ts";
import type { Account } from "../../../../src/market/account.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules, type LimitOrder } from "../../../../src/market/order.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { bookOf } from "../../../support/builders/books.ts";
import { FakeClient, openVenue, tickerOf, accountOfKind } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages, userSettings } from "../../../support/fakes/vscode.ts";
import { ownOrder } from "../../../support/builders/ownOrder.ts";

const { confirmBeyond, confirmOrder } = await loadUi(
  () => import("../../../../src/ui/ticket/confirmation.ts"),
);

const bid: LimitOrder = {
  side: "buy",
  symbol: "THB_BTC",
  pair: { quote: "THB", base: "BTC" },
  amount: new Decimal("5000"),
  rate: new Decimal("3200000"),
  quantity: new Decimal("0.00155859"),
  fee: new Decimal("12.5"),
};

const ASK: Partial<LimitOrder> = {
  side: "sell",
  amount: new Decimal("0.5"),
  quantity: new Decimal("1596000"),
  fee: new Decimal("4000"),
};

interface Dialog {
  readonly how: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly isModal: boolean;
  readonly button: string;
}

interface Given {
  readonly bid: Partial<LimitOrder>;
  readonly ticker: Ticker | undefined;
  readonly available: string;
  readonly open: readonly OwnOrder[];
  readonly answers: boolean;
  readonly preparedBy: "assistant" | "link";
}

/** Asks on a venue for a user who answers as given; returns the question and the result. */
async function ask(
  id: Account["kind"],
  given: Partial<Given> = {},
): Promise<Dialog & { readonly agreed: boolean }> {
  const venues = await openVenue(new FakeClient());
  await venues.select(accountOfKind[id]);
  await venues.signIn("placeBid");
  shownMessages.length = 0;
  person.choose = ([button]) => (given.answers === false ? undefined : button);
  const ticker = "ticker" in given ? given.ticker : tickerOf("THB_BTC", { last: 3_101_800.53 });
  const available = given.available === undefined ? undefined : new Decimal(given.available);
  const question = {
    order: { ...bid, ...given.bid },
    venue: venues.signedIn ?? assert.fail(),
    ticker,
    available,
    open: given.open ?? [],
    ...(given.preparedBy && { preparedBy: given.preparedBy }),
    now: Date.now(),
  };
  const agreed = await confirmOrder(question, ticker && 2);
  return { ...lastDialog(), agreed };
}

/** An order for the pair of the bid, whose outcome is unknown. */
function unknownOrder(fields: Parameters<typeof bidIntent>[0] = {}): OwnOrder {
  const at = Date.now();
  const intent = bidIntent({ at, symbol: "THB_BTC", quote: "THB", base: "BTC", ...fields });
  return ownOrder({ intent, state: "unknown", since: at, orderId: undefined, evidence: [] });
}

function lastDialog(): Dialog {
  const { how, text: title, more } = shownMessages.at(-1) ?? assert.fail("Nothing was asked.");
  const [options, button] = JSON.parse(more) as [{ modal: boolean; detail: string }, string];
  return { how, title, lines: options.detail.split("\n"), isModal: options.modal, button };
}

describe("the confirmation of every order", () => {
  afterEach(() => {
    person.choose = () => undefined;
    userSettings.clear();
  });

  it("explains post-only for a post-only order, and for no other", async () => {
    for (const id of ["practice", "live"] as const) {
      for (const side of [{}, ASK]) {
        const { lines } = await ask(id, { bid: { ...side, postOnly: true } });
        assert.ok(
          lines.includes("Post only: the exchange cancels the order instead of filling it immediately"),
        );
        assert.doesNotMatch((await ask(id, { bid: side })).lines.join(), /Post only/);
      }
    }
  });

  it("says first who prepared the figures, unless the user did", async () => {
    for (const [preparedBy, words] of [
      ["assistant", "Prepared by an assistant. Check every figure."],
      ["link", "Filled in from a link. Check every figure."],
    ] as const) {
      const { lines } = await ask("live", { preparedBy });
      assert.deepEqual(lines.slice(0, 2), [words, ""]);
    }
    assert.match((await ask("live")).lines[0] ?? "", /^Limit price/);
  });

  it("shows grouped figures, so that a missing zero is visible", async () => {
    const { lines } = await ask("live", { available: "12403.9" });
    assert.deepEqual(lines, [
      "Limit price: 3,200,000.00 THB per BTC, 3.17% above the last price",
      "Fee (included): about 12.50 THB",
      "Balance after this order: 7,403.90 THB",
    ]);
  });

  it("rounds the estimated fee to the decimals of its asset, and says that it is an estimate", async () => {
    const fees = async (fee: string, pair = bid.pair): Promise<string> =>
      (await ask("live", { bid: { ...ASK, fee: new Decimal(fee), pair } })).lines[1] ?? "";
    assert.equal(await fees("77.215124"), "Fee (deducted): about 77.22 THB");
    assert.equal(await fees("0.0025"), "Fee (deducted): about 0.0025 THB", "never zero");
    const ofCoins = await fees("0.000123456789", { quote: "BTC", base: "ETH" });
    assert.equal(ofCoins, "Fee (deducted): about 0.00012346 BTC");
  });

  it("shows every digit of the signed figures", async () => {
    const amount = new Decimal("9007199254740993.123456789");
    const { title, lines } = await ask("live", {
      bid: { amount, rate: new Decimal("0.000000000000000000000000123") },
    });
    assert.match(title, / for 9,007,199,254,740,993\.123456789 THB on /);
    assert.match(lines[0] ?? "", /^Limit price: 0\.000000000000000000000000123 THB per BTC,/);
  });

  it("is a warning with real money and information on practice, with different texts", async () => {
    const [practice, live] = [await ask("practice"), await ask("live")];
    assert.deepEqual(
      [practice.how, practice.title, practice.button],
      [
        "information",
        "Buy about 0.00155859 BTC for 5,000.00 THB on Practice with play money?",
        "Buy on Practice",
      ],
    );
    assert.deepEqual(
      [live.how, live.title, live.button],
      [
        "warning",
        "Buy about 0.00155859 BTC for 5,000.00 THB on Live api.example.com with real money?",
        "Buy",
      ],
    );
    assert.ok(practice.isModal && live.isModal);
    assert.ok(practice.agreed && live.agreed);
  });

  it("names an ask in title, figures and button, on practice and live", async () => {
    const [practice, live] = [
      await ask("practice", { bid: ASK }),
      await ask("live", { bid: ASK, available: "2" }),
    ];
    assert.deepEqual(
      [practice.how, practice.title, practice.button],
      [
        "information",
        "Sell 0.5 BTC for about 1,596,000.00 THB on Practice with play money?",
        "Sell on Practice",
      ],
    );
    assert.deepEqual(
      [live.how, live.title, live.button],
      ["warning", "Sell 0.5 BTC for about 1,596,000.00 THB on Live api.example.com with real money?", "Sell"],
    );
    assert.deepEqual(live.lines, [
      "Limit price: 3,200,000.00 THB per BTC, 3.17% above the last price",
      "Fee (deducted): about 4,000.00 THB",
      "Balance after this order: 1.5 BTC",
    ]);
    assert.ok(live.isModal && live.agreed);
  });

  it("warns that an ask may sell twice if an earlier one may already be placed", async () => {
    const open = [unknownOrder({ side: "sell", amount: "0.5" })];
    const { lines } = await ask("live", { bid: ASK, open });
    assert.match(lines[0] ?? "", /with this order you may sell twice\.$/);
    assert.match(lines[1] ?? "", /: 0\.5 BTC at /);
  });

  it("names an order that may already be placed before its own figures", async () => {
    const { lines } = await ask("live", { open: [unknownOrder()] });
    assert.match(lines[0] ?? "", /^The outcome of an earlier order for BTC\/THB is unknown/);
    assert.equal(lines[2], "");
    assert.match(lines[3] ?? "", /^Limit price/);
  });

  it("counts as no when closed", async () => {
    assert.equal((await ask("live", { answers: false })).agreed, false);
  });

  it("says how far the rate is above or below the last price", async () => {
    const rate = async (last: number): Promise<string> =>
      (await ask("live", { ticker: tickerOf("THB_BTC", { last }) })).lines[0] ?? "";
    assert.match(await rate(3_200_000), /per BTC, at the last price$/);
    assert.match(await rate(4_000_000), /per BTC, 20\.00% below the last price$/);
    assert.match((await ask("live", { ticker: undefined })).lines[0] ?? "", /per BTC$/);
  });

  it("says that a balance is unknown, and masks a hidden balance but not the order's figures", async () => {
    assert.equal((await ask("live")).lines[2], "Balance after this order: unknown");
    userSettings.set(settingKeys.hideAmounts, true);
    const { title, lines } = await ask("live", { available: "12403.9" });
    assert.match(title, / for 5,000\.00 THB on /);
    assert.equal(lines[2], "Balance after this order: ••• THB");
  });
});

/** A thin book: the offers after the best ones are ten percent worse. */
const thin = bookOf(
  [
    ["3100000", "0.0001"],
    ["3410000", "1"],
  ],
  [
    ["3000000", "0.0001"],
    ["2700000", "1"],
  ],
);

/** The questions about an order as its book guards it, and the order; "stopped" if the guard asks nothing. */
async function askByBook(
  given: Partial<LimitOrder>,
  { id = "live", confirmBeyondPercent = "2" }: { id?: Account["kind"]; confirmBeyondPercent?: string } = {},
) {
  const venues = await openVenue(new FakeClient());
  await venues.select(accountOfKind[id]);
  await venues.signIn("placeBid");
  const limits = {
    ...defaultLimits,
    confirmBeyondPercent: new Decimal(confirmBeyondPercent),
    refuseBeyondPercent: new Decimal("9.5"),
  };
  const guarded = guardByBook({ ...bid, ...given }, thin, { limits, rules: defaultRules });
  if (Array.isArray(guarded)) return "stopped";
  const question = {
    order: guarded,
    venue: venues.signedIn ?? assert.fail(),
    ticker: undefined,
    available: undefined,
    open: [],
    bookFill: bookFillOf(guarded, thin, defaultRules),
    now: Date.now(),
  };
  await confirmBeyond(question, 2);
  const beyond = lastDialog();
  await confirmOrder(question, 2);
  return { order: guarded, beyond, confirm: lastDialog() };
}

describe("the confirmation of an order into a thin book", () => {
  it("names account, average price and slippage in both confirmations, for bid and ask", async () => {
    const bought = await askByBook({ amount: new Decimal("2000"), rate: new Decimal("3500000") });
    if (bought === "stopped") assert.fail();
    assert.equal(bought.order.beyondBookPercent?.toFixed(), "8.32");
    assert.equal(bought.beyond.title, "Buy BTC/THB at an average price 8.32% above the best ask?");
    const average = "Average price: about 3,357,823.30 THB per BTC, 8.32% above the best ask";
    assert.deepEqual(
      [bought.beyond.lines, bought.beyond.button],
      [
        ["api.example.com may fill the order at up to 3,500,000.00 THB per BTC.", "", average],
        "Buy Above the Best Ask",
      ],
    );
    assert.deepEqual(bought.confirm.lines.slice(0, 3), [
      "Limit price: 3,500,000.00 THB per BTC",
      "Fills immediately: all",
      average,
    ]);
    const sold = await askByBook({ ...ASK, amount: new Decimal("0.0005"), rate: new Decimal("2600000") });
    if (sold === "stopped") assert.fail();
    assert.equal(sold.beyond.title, "Sell BTC/THB at an average price 8% below the best bid?");
    assert.deepEqual(
      [sold.beyond.lines, sold.beyond.button],
      [
        [
          "api.example.com may fill the order at only 2,600,000.00 THB per BTC.",
          "",
          "Average price: 2,760,000.00 THB per BTC, 8.00% below the best bid",
        ],
        "Sell Below the Best Bid",
      ],
    );
  });

  it("is a warning with real money and information on practice, and a modal on both", async () => {
    for (const [id, how] of [
      ["practice", "information"],
      ["live", "warning"],
    ] as const) {
      const asked = await askByBook({ amount: new Decimal("2000"), rate: new Decimal("3500000") }, { id });
      if (asked === "stopped") assert.fail();
      assert.deepEqual([asked.beyond.how, asked.beyond.isModal], [how, true]);
    }
  });

  it("is shown only between the confirmation limit and the rejection limit", async () => {
    const order = { amount: new Decimal("200000"), rate: new Decimal("3500000") };
    assert.equal(await askByBook(order), "stopped");
    const within = await askByBook(
      { amount: new Decimal("2000"), rate: new Decimal("3500000") },
      { confirmBeyondPercent: "9" },
    );
    if (within === "stopped") assert.fail();
    assert.equal(within.order.beyondBookPercent, undefined);
  });

  it("says which share fills immediately, and nothing about the book for a post-only order", async () => {
    const part = await askByBook({ amount: new Decimal("3000"), rate: new Decimal("3200000") });
    if (part === "stopped") assert.fail();
    assert.match(part.confirm.lines[1] ?? "", /^Fills immediately: 10\.3%$/);
    const waits = await askByBook({ amount: new Decimal("3000"), rate: new Decimal("2900000") });
    if (waits === "stopped") assert.fail();
    assert.equal(waits.confirm.lines[1], "Fills immediately: nothing");
    const post = await askByBook({
      amount: new Decimal("200000"),
      rate: new Decimal("3500000"),
      postOnly: true,
    });
    if (post === "stopped") assert.fail();
    assert.doesNotMatch(post.confirm.lines.join(), /Fills immediately|Average/);
  });
});

describe("the confirmation of a rate far above the last price", () => {
  it("names the pair, the distance and the rate, and is a warning on a live exchange only", async () => {
    const venues = await openVenue(new FakeClient());
    const above = { ...bid, beyondLastPercent: new Decimal("3.17") };
    const question = { order: above, available: undefined, open: [], now: Date.now() };
    for (const [id, how] of [
      ["practice", "information"],
      ["live", "warning"],
    ] as const) {
      await venues.select(accountOfKind[id]);
      await venues.signIn("placeBid");
      const ticker = tickerOf("THB_BTC", { last: 3_101_800.53 });
      await confirmBeyond({ ...question, venue: venues.signedIn ?? assert.fail(), ticker }, 2);
      const { how: shown, title, lines } = lastDialog();
      assert.equal(shown, how);
      assert.equal(title, "Buy BTC/THB at 3.17% above the last price?");
      assert.match(lines[0] ?? "", /may fill the order at up to 3,200,000\.00 THB per BTC\.$/);
    }
  });

  it("names an order that may already be placed before the rate", async () => {
    const venues = await openVenue(new FakeClient());
    const above = { ...bid, beyondLastPercent: new Decimal("3.17") };
    const [venue, open] = [venues.signedIn ?? assert.fail(), [unknownOrder()]];
    await confirmBeyond({
      order: above,
      venue,
      ticker: undefined,
      available: undefined,
      open,
      now: Date.now(),
    });
    const { lines } = lastDialog();
    assert.match(lines[0] ?? "", /^The outcome of an earlier order for BTC\/THB is unknown/);
    assert.equal(lines[2], "");
    assert.match(lines[3] ?? "", /may fill the order at up to/);
  });

  it("names an ask's distance below the last price, and the minimum it yields", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const below = { ...bid, ...ASK, beyondLastPercent: new Decimal("3.17") };
    person.choose = ([button]) => button;
    const isAgreed = await confirmBeyond(
      { order: below, venue, ticker: undefined, available: undefined, open: [], now: Date.now() },
      2,
    );
    const { title, lines, button } = lastDialog();
    assert.ok(isAgreed);
    assert.equal(title, "Sell BTC/THB at 3.17% below the last price?");
    assert.match(lines[0] ?? "", /may fill the order at only 3,200,000\.00 THB per BTC\.$/);
    assert.equal(button, "Sell Below the Last Price");
    person.choose = () => undefined;
  });
});
