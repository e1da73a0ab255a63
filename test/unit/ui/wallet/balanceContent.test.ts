import assert from "node:assert/strict";
import { commandIds } from "../../../../src/contributions.ts";
import type { BalanceState } from "../../../../src/desk/feeds/balanceFeed.ts";
import type { VenueState } from "../../../../src/desk/venue.ts";
import { NotSentError, RefusedError } from "../../../../src/exchange/errors.ts";
import type { Features } from "../../../../src/exchange/features.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { BalanceInput } from "../../../../src/ui/wallet/balanceContent.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import {
  FakeClient,
  openVenue,
  tickerOf,
  walletOf,
  accountOfKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { balanceContent } = await loadUi(() => import("../../../../src/ui/wallet/balanceContent.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { ProfileError } = await loadUi(() => import("../../../../src/ui/text/profileError.ts"));

const read: BalanceState = {
  wallet: walletOf({ THB: "1000000", BTC: "0.00000001" }),
  readAt: 0,
  problem: undefined,
};
const none: BalanceState = { wallet: undefined, readAt: undefined, problem: undefined };
const missing = new NotSentError("wallet", "noCredentials", "none");
const unreadable = new NotSentError("wallet", "credentialsUnreadable", "none");
const refused = new RefusedError("wallet", { code: 3, httpStatus: 200 });

async function stateOf(id: "practice" | "live"): Promise<VenueState> {
  const venue = await openVenue(new FakeClient());
  await venue.select(accountOfKind[id]);
  return venue.state;
}

/** What the item shows, with a wallet that was read, and where a click leads. */
async function contentOf(id: "practice" | "live", given: Partial<BalanceInput> = {}) {
  const input = {
    balance: read,
    needsCredentials: false,
    attention: 0,
    quote: "THB",
    figure: "available" as const,
    ...given,
  };
  const state = given.state ?? (await stateOf(id));
  const { icon, words, spoken, command, tooltip } = balanceContent({
    tickers: [],
    elsewhere: [],
    today: undefined,
    amounts: new AmountText(false),
    ...input,
    state,
  });
  const click = typeof command === "string" ? [command] : [command.command, ...(command.arguments ?? [])];
  return { icon, words, spoken, click, tooltip: tooltip.value };
}

describe("the status bar item", () => {
  it("shows today's result if the user chose it, and only the name while it is unknown", async () => {
    const today = {
      quote: "THB",
      result: new Decimal("-1234.5"),
      from: new Decimal("1000"),
      since: 0,
      leftOut: [],
    };
    const { words } = await contentOf("practice", { figure: "todaysResult", today });
    assert.match(words, /^Practice -1,234.50 THB today$/);
    assert.equal((await contentOf("practice", { figure: "todaysResult" })).words, "Practice");
    const hidden = { figure: "todaysResult" as const, today, amounts: new AmountText(true) };
    assert.doesNotMatch((await contentOf("practice", hidden)).words, /\d/);
  });

  it("shows the value of the whole account, or no figure, if the user wants that", async () => {
    const tickers = [tickerOf("THB_BTC", { last: 2_000_000 })];
    const balance = { ...read, wallet: walletOf({ THB: "1000", BTC: "0.5" }) };
    const words = async (figure: "total" | "off"): Promise<string> =>
      (await contentOf("practice", { figure, balance, tickers })).words;
    assert.equal(await words("total"), "Practice total 1,001,000 THB");
    assert.equal(await words("off"), "Practice");
  });

  it("names in its tooltip what a value or a result leaves out", async () => {
    const balance = { ...read, wallet: walletOf({ THB: "1000", AIR: "777" }) };
    const { words, tooltip } = await contentOf("practice", { figure: "total", balance });
    assert.equal(words, "Practice total 1,000 THB");
    assert.match(tooltip, /Practice total 1,000 THB without AIR/);
    const today = {
      quote: "THB",
      result: new Decimal("5"),
      from: new Decimal("1000"),
      since: 0,
      leftOut: ["AIR"],
    };
    const ofToday = await contentOf("practice", { figure: "todaysResult", balance, today });
    assert.match(ofToday.tooltip, /\+5.00 THB today without AIR/);
    assert.doesNotMatch((await contentOf("practice", { balance })).tooltip, /without/);
  });

  for (const [claim, id, given, icon, words] of [
    ["names the practice exchange and its free balance", "practice", {}, "beaker", "Practice 1,000,000 THB"],
    ["names a live exchange, whose host is in the tooltip", "live", {}, "broadcast", "Live 1,000,000 THB"],
    [
      "shows a balance of zero if the wallet has none of the quote asset",
      "practice",
      { balance: { ...read, wallet: walletOf({ BTC: "1" }) } },
      "beaker",
      "Practice 0.00 THB",
    ],
  ] as const)
    it(claim, async () => {
      const content = await contentOf(id, given);
      assert.deepEqual([content.icon, content.words], [icon, words]);
      assert.deepEqual(content.click, [commandIds.showBalance]);
      assert.match(content.tooltip, /BTC \| /);
    });

  it("asks for a missing key, and a click opens the key prompt", async () => {
    const content = await contentOf("live", {
      balance: { ...none, problem: missing },
      needsCredentials: true,
    });
    assert.equal(content.words, "Live: Set API Key");
    assert.deepEqual(content.click, [commandIds.addAccount, "key"]);
  });

  it("asks for the key again if it is unreadable, with the reason and the last balances", async () => {
    const balance = { ...read, problem: unreadable };
    const content = await contentOf("live", { balance, needsCredentials: true });
    assert.equal(content.words, "Live: Set API Key");
    assert.deepEqual(content.click, [commandIds.addAccount, "key"]);
    assert.match(content.tooltip, /could not be read[^]*BTC \| 0\.00000001/);
  });

  it("keeps the last balance beside a warning and its reason", async () => {
    const content = await contentOf("live", { balance: { ...read, problem: refused } });
    assert.deepEqual([content.icon, content.words], ["warning", "Live 1,000,000 THB"]);
    assert.match(content.tooltip, /error 3/);
  });

  it("says that a live exchange is not set up, and why", async () => {
    const error = new ProfileError(["baseUrlInsecure"]);
    const state = { kind: "unusable", account: liveAccount, error } as const;
    const content = await contentOf("live", { state, balance: none, quote: undefined });
    assert.equal(content.words, "Bidside: not set up");
    assert.match(content.tooltip, /https/);
  });

  it("says by its icon that prices are stale and keeps its width; tooltip and screen reader say why", async () => {
    const fresh = await contentOf("practice");
    const stalePrices = { updatedAt: 0, why: "Waiting for Practice to respond." };
    const stale = await contentOf("practice", { stalePrices });
    assert.deepEqual([stale.icon, stale.words], ["history", fresh.words]);
    assert.match(stale.tooltip, /Prices are stale, updated .*Waiting for Practice to respond/);
    assert.match(stale.spoken, /^Practice 1,000,000 THB\. Prices are stale, updated/);
    assert.doesNotMatch(fresh.spoken + fresh.tooltip, /stale/);
  });

  it("shows small balances to the last digit, and never more than there is", async () => {
    const free = async (THB: string) =>
      (await contentOf("practice", { balance: { ...read, wallet: walletOf({ THB }) } })).words;
    assert.equal(await free("999.999"), "Practice 999.99 THB");
    assert.equal(await free("776740.99"), "Practice 776,740 THB");
  });

  it("warns of unknown orders, beside the balance", async () => {
    const content = await contentOf("practice", { attention: 2 });
    assert.deepEqual([content.icon, content.words], ["warning", "Practice 1,000,000 THB · 2 unknown"]);
    assert.match(content.tooltip, /Orders that may have been placed: 2\. Check them in Orders\.$/);
  });
});

describe("the tooltip of the balance", () => {
  it("lists ten assets, the most valuable first, counts the others, and omits empty ones", async () => {
    const empty = Array.from({ length: 200 }, (_, index) => [`A${index}`, "0"]);
    const small = Array.from({ length: 11 }, (_, index) => [`S${index + 10}`, "1"]);
    const wallet = walletOf(
      Object.fromEntries([...empty, ...small, ["BTC", "2"], ["THB", "50"]]) as Record<string, string>,
    );
    const tickers = [tickerOf("THB_BTC", { last: 100 }), tickerOf("THB_S20", { last: 5 })];
    const { tooltip } = await contentOf("live", { balance: { ...read, wallet }, tickers });
    const rows = [...tooltip.matchAll(/^\| (\w+) \|/gm)].map(([, asset]) => asset);
    assert.deepEqual(rows, ["THB", "BTC", "S20", ..."0123456".split("").map((digit) => `S1${digit}`)]);
    assert.match(tooltip, /Other assets: 3/);
  });

  async function tooltipWith(features: Features): Promise<string> {
    const state = await stateOf("practice");
    if (state.kind !== "ready") assert.fail(state.kind);
    const { venue } = state;
    const profile = { ...venue.profile, features };
    return (await contentOf("practice", { state: { ...state, venue: { ...venue, profile } } })).tooltip;
  }

  it("says in one quiet line what the exchange does not offer", async () => {
    assert.match(
      await tooltipWith({}),
      /\n\nNot offered by this exchange: Sell orders, Cancelling orders, Open orders, Order history with fills\.$/,
    );
    const { placeAsk: _, ...others } = allFeatures("A");
    assert.match(await tooltipWith(others), /\n\nNot offered by this exchange: Sell orders\.$/);
  });

  it("has no such line if the exchange supports everything", async () => {
    assert.doesNotMatch(await tooltipWith(allFeatures("A")), /offered/);
  });
});
