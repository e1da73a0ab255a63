import assert from "node:assert/strict";
import { defaultLimits, defaultRules, validateOrder } from "../../src/market/order.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../support/fakes/vscode.ts";
import { listsStore } from "../support/fakes/watchLists.ts";
import { openForm, type OpenForm } from "../support/pages/openForm.ts";
import { pick, type Random } from "../support/random.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { safetyLine } from "./safetyLine.ts";

const { MarketRows } = await loadUi(() => import("../../src/ui/markets/marketRows.ts"));

/** JSON values that are no prices. */
const FIXED = [
  "0",
  "-0",
  "0.0",
  "0e9",
  "-1",
  "-0.01",
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[100]",
  '{"last":100}',
  '""',
  '" "',
  '"0"',
  '"-5"',
  '"NaN"',
  '"Infinity"',
  '"null"',
  '"undefined"',
  '"0x64"',
  '"1,000"',
  '"1 000"',
  '"100 THB"',
  '"１００"',
  '"๑๐๐"',
  '"1e"',
  '"e5"',
  '"--1"',
  '"1.2.3"',
  '"<b>100</b>"',
  '"1_000"',
  '"½"',
  '"100\\u0000"',
  '"\\u202e100"',
  '"100;"',
  "1e999",
  "-1e999",
  '"1e999"',
  "1e-400",
  '"1e-400"',
  "1e30",
  "1e308",
];

/** The JSON text of a value that is no price. */
function malformed(random: Random): string {
  const digits = String(Math.floor(random() * 1e9) + 1);
  const exponent = 40 + Math.floor(random() * 400);
  return pick(random, [
    pick(random, FIXED),
    `-${digits}`,
    `"-${digits}.5"`,
    `${digits}e${exponent}`,
    `${digits}e-${exponent}`,
    `"${digits}E+${exponent}"`,
    `"${digits}${pick(random, [",", "_", "'", " ", "$", "<", "٫", "x", "n", "%"])}${digits}"`,
    `"${pick(random, ["$", "<i>", "~", "฿", "=", "(", "\\n"])}${digits}"`,
  ]);
}

/** Whether the JSON text is what services send as the last price of a pair without a trade: nothing, or a zero. */
function isNothing(last: string | undefined): boolean {
  if (last === undefined || last === "null") return true;
  const bare = last.replaceAll('"', "");
  return bare.trim() !== "" && Number(bare) === 0;
}

/** Whole answers without a market, all with HTTP 200. */
const NO_MARKET = [
  "<!doctype html><html><body>THB_BTC 100</body></html>",
  '<html>{"THB_BTC":{"last":100}}</html>',
  "",
  "null",
  "100",
  '"100"',
  "[100]",
  '{"error":0}',
  '{"error":0,"result":null}',
  '{"error":0,"result":100}',
  '{"THB_BTC":100}',
  '{"message":"ok"}',
  '{"error":0,"result":{"THB_BTC":{"last":100}',
  '[["THB_BTC",100]]',
];

const FIELDS = {
  keyed: { bestBid: "highestBid", bestAsk: "lowestAsk", high: "high24hr", low: "low24hr" },
  listed: { bestBid: "highest_bid", bestAsk: "lowest_ask", high: "high_24_hr", low: "low_24_hr" },
} as const;
type Field = keyof typeof FIELDS.keyed;
const FIELD_NAMES = Object.keys(FIELDS.keyed) as Field[];

/** An answer with two pairs: THB_ETH at 100, and THB_BTC with the given fields, which may include `last`. */
function market(random: Random, last: string | undefined, fields: Partial<Record<Field, string>>): string {
  const style = pick(random, ["keyed", "listed"] as const);
  const parts = Object.entries(fields).map(([name, value]) => `"${FIELDS[style][name as Field]}":${value}`);
  if (last !== undefined) parts.push(`"last":${last}`);
  const all =
    style === "keyed"
      ? `{"THB_ETH":{"last":100},"THB_BTC":{${parts.join()}}}`
      : `[{"symbol":"THB_ETH","last":"100"},{${['"symbol":"THB_BTC"', ...parts].join()}}]`;
  return pick(random, [all, `{"error":0,"result":${all}}`]);
}

describe("A malformed price", () => {
  let exchange: TestExchange;
  let form: OpenForm;
  const draft = { symbol: "THB_BTC", amount: "1000", rate: "100" };

  beforeEach(async () => {
    exchange = await serveExchange();
  });
  afterEach(async () => {
    await form.close();
    await exchange.close();
  });

  /** Lets the form read an answer, and shows the pair in it. */
  async function read(answer: string): Promise<void> {
    exchange.answers.tickers = (_request, response) => void response.end(answer);
    await form.tickers.refresh();
    form.posted.length = 0;
    form.select("THB_BTC");
  }

  /** Tries to bid; returns the texts beside the form's fields. Nothing may be asked or sent. */
  async function refused(rate = draft.rate): Promise<string> {
    shownMessages.length = 0;
    const { fields } = await form.submit({ ...draft, rate });
    assert.deepEqual(shownMessages, []);
    assert.equal(exchange.seenOf("placeBid").length, 0);
    return Object.entries(fields).flat().join(" ");
  }

  function quoteShown() {
    return form.posted.find((message) => message.type === "quote")?.quote;
  }

  function listed(): (string | undefined)[] {
    const rows = new MarketRows(form.tickers, listsStore());
    const symbols = rows.getChildren().map(({ symbol }) => symbol);
    rows.dispose();
    return symbols;
  }

  /** A pair without a last price: no bid, and no row or quote unless it was never traded. */
  async function meetLast(random: Random): Promise<void> {
    const last = random() < 0.05 ? undefined : malformed(random);
    await read(market(random, last, { bestBid: "99", bestAsk: "101" }));
    if (isNothing(last)) {
      const ticker = form.tickers.ticker("THB_BTC");
      assert.deepEqual([ticker?.last, ticker?.bestBid, form.tickers.state.unreadable], [undefined, 99, 0]);
      assert.deepEqual(listed().sort(), ["THB_BTC", "THB_ETH"]);
      assert.equal(quoteShown()?.last, undefined);
      assert.match(await refused(), /^pair This pair has no price at the moment/);
      return;
    }
    assert.deepEqual([form.tickers.ticker("THB_BTC"), form.tickers.state.unreadable], [undefined, 1]);
    assert.deepEqual(listed(), ["THB_ETH"]);
    assert.equal(quoteShown(), undefined);
    assert.match(await refused(), /^pair The exchange no longer lists this pair/);
  }

  /** Another price is malformed: it is shown as unknown, and a bid is compared with the last price only. */
  async function meetOther(random: Random): Promise<void> {
    const bad = new Set(FIELD_NAMES.filter(() => random() < 0.5)).add(pick(random, FIELD_NAMES));
    const fields = FIELD_NAMES.map((name) => [name, bad.has(name) ? malformed(random) : "100"]);
    await read(market(random, "100", Object.fromEntries(fields) as Record<Field, string>));
    const ticker = form.tickers.ticker("THB_BTC") ?? assert.fail("the pair is not there");
    for (const name of FIELD_NAMES) assert.equal(ticker[name], bad.has(name) ? undefined : 100, name);
    const { last, bestBid, bestAsk } = quoteShown() ?? assert.fail("no quote");
    assert.deepEqual(
      [last, bestBid, bestAsk],
      ["100", bad.has("bestBid") ? undefined : "100", bad.has("bestAsk") ? undefined : "100"],
    );
    assert.match(
      await refused("120.01"),
      /^rate Too far above the last price\. The maximum is 120\.00 THB\.$/,
    );
    person.choose = () => undefined;
    const { notice } = await form.submit(draft);
    assert.match(notice?.text ?? "", /^Not sent: you cancelled\./);
  }

  /** An answer without a market: earlier prices are stale, and no bid is possible. */
  async function meetNoMarket(random: Random): Promise<void> {
    const wasKnown = form.tickers.state.readAt !== undefined;
    await read(pick(random, NO_MARKET));
    assert.ok(form.tickers.state.problem !== undefined);
    assert.equal(form.tickers.isStale, wasKnown);
    assert.match(quoteShown()?.note ?? "", wasKnown ? /\S/ : /^$/);
    assert.match(
      await refused(),
      wasKnown ? /^pair The last price is too old/ : /^pair The exchange no longer lists this pair/,
    );
  }

  safetyLine(21, "Is shown as unavailable, and no guard uses it", async (proof) => {
    const counts = { meetLast: 0, meetOther: 0, meetNoMarket: 0 };
    const rounds = await proof.each(5000, async ({ random }) => {
      form = await openForm(exchange.url);
      exchange.seen.length = 0;
      if (random() < 0.5) await read(market(random, "100", { bestBid: "99", bestAsk: "101" }));
      const [kind, meet] = pick(random, [
        ["meetLast", meetLast],
        ["meetLast", meetLast],
        ["meetOther", meetOther],
        ["meetNoMarket", meetNoMarket],
      ] as const);
      await meet(random);
      counts[kind] += 1;
      assert.equal(exchange.seenOf("placeBid").length, 0);
      await form.close();
    });
    return (
      `${rounds} answers: ${counts.meetLast} last prices unavailable and not bid on, ${counts.meetOther} pairs with other prices unavailable ` +
      `and compared with the last one, ${counts.meetNoMarket} without a market refused; 0 POSTs`
    );
  });

  it("is refused by the guard itself", () => {
    for (const last of [0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, "100", [100], {}]) {
      const ticker = { ...tickerOf("THB_BTC"), last } as Ticker;
      const context = {
        rules: defaultRules,
        limits: defaultLimits,
        offersAsks: false,
        available: undefined,
        priceAgeMs: 0,
        pricesAreStale: false,
      };
      const found = validateOrder({ side: "buy", ...draft }, { ...context, ticker });
      assert.ok(Array.isArray(found), String(last));
      assert.deepEqual(found, [{ field: "pair", code: "noPrice" }]);
    }
  });
});
