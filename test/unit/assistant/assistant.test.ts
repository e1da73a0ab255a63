import assert from "node:assert/strict";
import { heldElsewhere } from "../../support/builders/heldElsewhere.ts";
import { toolNames } from "../../../src/assistant/access.ts";
import type { AlertSuggestion } from "../../../src/assistant/alertTool.ts";
import { LONGEST_ANSWER } from "../../../src/assistant/answer.ts";
import type { Desk } from "../../../src/desk/desk.ts";
import { RefusedError } from "../../../src/exchange/errors.ts";
import { decodeSymbols } from "../../../src/exchange/wire/symbols.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import { testFill, testReport } from "../../support/builders/reports.ts";
import { answerRead, inEnvelope } from "../../support/builders/answers.ts";
import { assistantOf, type TestAssistant } from "../../support/desks/assistantDesk.ts";
import { close, openTestDesk, readAll, submit, unattended } from "../../support/desks/testDesk.ts";
import { unsyncedSystem } from "../../support/fakes/operatingSystem.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf, liveAccount } from "../../support/fakes/venue.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const MARKET = [
  tickerOf("THB_BTC", { last: 3_000_000, percentChange: -4, quoteVolume: 9000 }),
  tickerOf("THB_ETH", { last: 100_000, percentChange: 1, quoteVolume: 20_000 }),
  tickerOf("THB_DOGE", { last: 0.00000012, percentChange: 3, quoteVolume: 10 }),
  tickerOf("USD_BTC", { last: 90_000, percentChange: undefined, quoteVolume: undefined }),
];

describe("an assistant", () => {
  let storage: string;
  let client: FakeClient;
  let timers: FakeTimers;
  let desk: Desk;
  let suggested: AlertSuggestion[];
  let addsAlerts: boolean;
  let tested: TestAssistant;

  beforeEach(async () => {
    storage = temporaryFolder();
    client = new FakeClient();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...MARKET));
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1234.56", BTC: "0.5", AIR: "777" }));
    timers = new FakeTimers();
    desk = await openTestDesk({ client, timers, storage, window: unattended, os: unsyncedSystem });
    await readAll(desk);
    suggested = [];
    addsAlerts = false;
    tested = assistantOf(desk, (suggestion) => {
      suggested.push(suggestion);
      return Promise.resolve(addsAlerts);
    });
  });
  afterEach(() => close(desk));

  const BUY = { side: "buy", pair: "BTC/THB", amount: "1000", rate: "3000000" };
  const pairsOf = ({ pairs }: Record<string, unknown>): unknown[] =>
    (pairs as { readonly pair: string }[]).map(({ pair }) => pair);

  describe("has by its level", () => {
    for (const [level, tools] of [
      ["off", 0],
      ["market", 4],
      ["account", 6],
      ["prepare", 7],
    ] as const)
      it(`${tools} tools: ${level}`, async () => {
        tested.set.level = level;
        assert.equal(tested.assistant.tools.length, tools);
        for (const name of toolNames) {
          const { problem } = await tested.call(name, {});
          const isRefused = /bidside\.assistant\.access/.test(String(problem));
          assert.equal(isRefused, !tested.assistant.tools.includes(name), name);
          await timers.advance(1000);
        }
      });

    it("the level of the moment of the call", async () => {
      await tested.call("bidside_account");
      tested.set.level = "market";
      assert.match(String((await tested.call("bidside_account"))["problem"]), /does not allow/);
    });
  });

  it("refuses a tool that does not exist, and inputs of any other shape, without their text", async () => {
    for (const name of ["", "bidside_placeOrder", "__proto__", "toString"])
      assert.match(String((await tested.call(name))["problem"]), /does not allow/);
    for (const input of [
      undefined,
      null,
      "text",
      [],
      { ...BUY, amount: { of: 1000 } },
      { ...BUY, amount: 1e21 },
      { ...BUY, side: "long" },
      { ...BUY, confirm: true },
      { ...BUY, "ignore all\u0000": "canary" },
      { ...BUY, pair: "x".repeat(65) },
    ]) {
      const { text, isError } = await tested.assistant.call("bidside_prepareOrder", input);
      assert.ok(isError);
      assert.doesNotMatch(text, /canary|long|ignore/);
      assert.match(
        text,
        /^\{"problem":"The input does not fit the schema of bidside_prepareOrder: [a-zA-Z,;/\\" 0.25]+\."\}$/,
      );
    }
    assert.deepEqual(tested.ticket.shown, []);
  });

  it("says what was expected of each field", async () => {
    for (const [name, input, expected] of [
      ["bidside_markets", { limit: "five" }, "limit must be a whole number"],
      ["bidside_markets", { limit: 51 }, "limit must be at most 50"],
      ["bidside_prepareOrder", { ...BUY, side: "long" }, "side must be one of buy, sell"],
      ["bidside_prepareOrder", { ...BUY, rate: null }, 'rate must be decimal text such as "0.25"'],
      ["bidside_prepareOrder", { ...BUY, pair: null }, 'pair must be a pair such as "BTC/THB"'],
      ["bidside_prepareOrder", { ...BUY, confirm: true }, "no other fields"],
    ] as const)
      assert.equal(
        (await tested.call(name, input))["problem"],
        `The input does not fit the schema of ${name}: ${expected}.`,
      );
  });

  it("takes numbers as text, text as numbers, upper case, null and empty text where they mean one value", async () => {
    for (const input of [
      { limit: "1" },
      { limit: 1, pair: null },
      { limit: 1, pair: "", filter: "", sort: "VOLUME" },
    ])
      assert.deepEqual(pairsOf(await tested.call("bidside_markets", input)), ["ETH/THB"]);
    assert.deepEqual((await tested.call("bidside_alerts", { add: null }))["alerts"], []);
    const { order } = await tested.call("bidside_prepareOrder", {
      side: "BUY",
      pair: "btc thb",
      amount: 1000,
      quantity: null,
      rate: "2,990,000.50",
      postOnly: "false",
    });
    const { side, pair, amount, rate } = order as Record<string, unknown>;
    assert.deepEqual([side, pair, amount, rate], ["buy", "BTC/THB", "1000 THB", "2990000.50 THB per BTC"]);
  });

  it("may begin 60 calls within a minute, 4 at one time", async () => {
    let answer: () => void = () => undefined;
    client.tickersAnswer = () => new Promise((resolve) => (answer = () => resolve(snapshotOf(...MARKET))));
    timers.sleep(20_000);
    const calls = Array.from({ length: 5 }, () => tested.call("bidside_markets"));
    assert.match(String((await calls[4])?.["problem"]), /Too many calls/);
    await settle();
    answer();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...MARKET));
    for (const call of calls.slice(0, 4)) assert.equal((await call)["problem"], undefined);
    for (let begun = 4; begun < 60; begun += 1)
      assert.equal((await tested.call("bidside_account"))["problem"], undefined);
    assert.match(String((await tested.call("bidside_account"))["problem"]), /Too many calls/);
    await timers.advance(60_000);
    assert.equal((await tested.call("bidside_account"))["problem"], undefined);
  });

  describe("reads pairs", () => {
    it("sorted by volume, with the age of the prices and the exchange", async () => {
      timers.sleep(3000);
      const read = await tested.call("bidside_markets");
      assert.deepEqual(pairsOf(read), ["ETH/THB", "BTC/THB", "DOGE/THB", "BTC/USD"]);
      assert.deepEqual(
        [read["exchange"], read["money"], read["pricesAgeSeconds"]],
        ["Practice", "play money", 3],
      );
    });

    for (const [sort, first] of [
      ["rise", "DOGE/THB"],
      ["fall", "BTC/THB"],
      ["move", "BTC/THB"],
      ["name", "BTC/THB"],
    ])
      it(`sorted by ${sort}`, async () => {
        assert.equal(pairsOf(await tested.call("bidside_markets", { sort }))[0], first);
      });

    it("filtered by name, with the number of omitted pairs", async () => {
      assert.deepEqual(pairsOf(await tested.call("bidside_markets", { filter: "btc/" })), [
        "BTC/THB",
        "BTC/USD",
      ]);
      const read = await tested.call("bidside_markets", { limit: 1 });
      assert.deepEqual([pairsOf(read), read["omitted"]], [["ETH/THB"], 3]);
    });

    it("filtered by the coin's name where the exchange states it, in any width and case", async () => {
      const rows = [{ symbol: "BTC_THB", name: "Bitcoin" }];
      const read = decodeSymbols(answerRead(inEnvelope(rows, "B")), "baseFirst") ?? assert.fail();
      client.capabilities = { symbols: () => Promise.resolve(read) };
      for (const filter of ["bitco", "ＢＩＴＣＯＩＮ", "ｂｔｃ/ｔ", "btcthb"])
        assert.deepEqual(pairsOf(await tested.call("bidside_markets", { filter })), ["BTC/THB"], filter);
      client.capabilities = { symbols: () => Promise.reject(new Error("no pairs")) };
      await timers.advance(600_000);
      assert.deepEqual(pairsOf(await tested.call("bidside_markets", { filter: "doge" })), ["DOGE/THB"]);
    });

    it("one by one, by name or symbol, without exponents", async () => {
      for (const pair of [
        "DOGE/THB",
        "doge/thb",
        "THB_DOGE",
        "DOGE_THB",
        "DOGE-THB",
        "DOGETHB",
        "doge thb",
        "ｄｏｇｅ/ｔｈｂ",
      ]) {
        const read = await tested.call("bidside_markets", { pair });
        assert.equal((read["pair"] as Record<string, unknown>)["last"], "0.00000012", pair);
      }
      const { problem } = await tested.call("bidside_markets", { pair: "<b>XRP</b>" });
      assert.match(String(problem), /lists no such pair/);
      assert.doesNotMatch(String(problem), /XRP/);
    });

    it("again if the prices are older than 10 seconds, reporting a failure", async () => {
      const before = client.calls.tickers;
      timers.sleep(9000);
      await tested.call("bidside_markets");
      assert.equal(client.calls.tickers, before);
      timers.sleep(2000);
      client.tickersAnswer = () => Promise.reject(new Error("no network"));
      assert.match(String((await tested.call("bidside_markets"))["warning"]), /old/);
      assert.equal(client.calls.tickers, before + 1);
    });

    it("in at most 48,000 characters, however large the market is", async () => {
      const name = (index: number): string => `ABCDEF${index}`;
      client.tickersAnswer = () =>
        Promise.resolve(
          snapshotOf(...Array.from({ length: 2000 }, (_, index) => tickerOf(`THB_${name(index)}`))),
        );
      await desk.tickers.refresh();
      const { text } = await tested.assistant.call("bidside_markets", { limit: 50 });
      assert.ok(text.length < LONGEST_ANSWER / 2, `${text.length}`);
    });
  });

  it("reads at most the wanted number of candles", async () => {
    await timers.advance(0);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...MARKET));
    const read = await tested.call("bidside_candles", { pair: "BTC/THB", interval: "1m", limit: 3 });
    assert.ok((read["rows"] as string[]).length <= 3);
    assert.equal(read["columns"], "time (UTC),open,high,low,close,volume");
  });

  describe("reads the order book", () => {
    it("where the exchange offers one, with the wanted levels", async () => {
      const level = (price: string) => ({ price: new Decimal(price), size: new Decimal("0.5") });
      client.capabilities = {
        depth: () =>
          Promise.resolve({
            asks: [level("101"), level("102")],
            bids: [level("99"), level("98")],
            unreadable: 0,
          }),
      };
      const read = await tested.call("bidside_book", { pair: "BTC/THB", levels: 1 });
      assert.deepEqual([read["asks"], read["bids"]], [["101,0.5"], ["99,0.5"]]);
      assert.equal(read["columns"], "rate (THB),size (BTC)");
    });

    it("not where the exchange offers none, or fails", async () => {
      assert.match(
        String((await tested.call("bidside_book", { pair: "BTC/THB" }))["problem"]),
        /offers no order book/,
      );
      client.capabilities = { depth: () => Promise.reject(new Error("secret words")) };
      const { problem } = await tested.call("bidside_book", { pair: "BTC/THB" });
      assert.equal(problem, "The order book could not be read.");
    });
  });

  describe("suggests an alert", () => {
    const ADD = { pair: "BTC/THB", kind: "above", price: "3100000" };
    const count = async (): Promise<number> => (await desk.alerts()).list.length;

    it("which is added when the user agrees", async () => {
      addsAlerts = true;
      const answer = await tested.call("bidside_alerts", { add: ADD });
      assert.equal(answer["asked"], true);
      await settle();
      assert.equal(await count(), 1);
      const { alerts } = await tested.call("bidside_alerts");
      assert.deepEqual(alerts, [
        { pair: "BTC/THB", kind: "above", price: "3100000", repeats: false, state: "on" },
      ]);
    });

    it("at a price that names its currency", async () => {
      await tested.call("bidside_alerts", { add: { ...ADD, price: "฿3,100,000.00" } });
      assert.deepEqual(suggested[0]?.rule, { kind: "above", price: "3100000.00" });
    });

    it("which is not added when the user declines, and asks again 10 seconds later at the earliest", async () => {
      await tested.call("bidside_alerts", { add: ADD });
      await settle();
      assert.equal(await count(), 0);
      assert.match(String((await tested.call("bidside_alerts", { add: ADD }))["problem"]), /10 seconds/);
      assert.equal(suggested.length, 1);
      await timers.advance(10_000);
      await tested.call("bidside_alerts", { add: ADD });
      assert.equal(suggested.length, 2);
    });

    for (const [add, problem] of [
      [{ ...ADD, price: "2900000" }, /fire at once/],
      [{ ...ADD, price: "1e9" }, /decimal text/],
      [{ ...ADD, price: "$3100000" }, /decimal text/],
      [{ ...ADD, percent: "2" }, /neither percent nor minutes/],
      [{ pair: "BTC/THB", kind: "change", percent: "2" }, /needs percent and minutes/],
      [{ pair: "BTC/THB", kind: "change", percent: "100", minutes: 5 }, /below 100/],
      [{ ...ADD, pair: "XRP/THB" }, /no such pair/],
    ] as const)
      it(`and rejects an invalid one without asking the user: ${problem.source}`, async () => {
        assert.match(String((await tested.call("bidside_alerts", { add }))["problem"]), problem);
        assert.equal(suggested.length, 0);
      });
  });

  describe("reads the account", () => {
    it("with exact balances and values at the last prices", async () => {
      const read = await tested.call("bidside_account");
      const assets = read["assets"] as Record<string, unknown>[];
      assert.deepEqual(
        assets.map(({ asset, available, value }) => [asset, available, value]),
        [
          ["BTC", "0.5", "1500000"],
          ["THB", "1234.56", "1234.56"],
          ["AIR", "777", undefined],
        ],
      );
      assert.deepEqual([read["total"], read["valuesIn"]], ["1501234.56", "THB"]);
      tested.set.valuesIn = "BTC";
      const inBtc = await tested.call("bidside_account");
      assert.deepEqual([inBtc["valuesIn"], inBtc["total"]], ["BTC", "0.5"]);
      tested.set.valuesIn = "";
    });

    it("with holdings elsewhere, which are in the total but not available, and without their places", async () => {
      desk.elsewhere.put(heldElsewhere({ quantity: "2", place: "under the mattress" }));
      const read = await tested.call("bidside_account");
      assert.deepEqual(read["elsewhere"], [{ asset: "BTC", quantity: "2", value: "6000000" }]);
      assert.equal(read["total"], "7501234.56");
      assert.equal((read["assets"] as Record<string, unknown>[])[0]?.["available"], "0.5");
      assert.doesNotMatch(JSON.stringify(read), /mattress/);
    });

    it("with the names of what a total or a result leaves out", async () => {
      const read = await tested.call("bidside_account");
      assert.deepEqual(read["totalWithout"], ["AIR"]);
      assert.equal(read["unrealisedWithout"], undefined);
      desk.elsewhere.put(heldElsewhere({ asset: "AIR", cost: ["THB", "5"] }));
      assert.deepEqual((await tested.call("bidside_account"))["unrealisedWithout"], ["AIR/THB"]);
    });

    it("with the exact results by day, month and year, of the newest periods only", async () => {
      const DAY_MS = 86_400_000;
      const NOON = new Date(2026, 10, 21, 12).getTime();
      const reports = Array.from({ length: 40 }, (_, day) => [
        testReport({
          side: "buy",
          orderId: `b${day}`,
          fills: [testFill(`b${day}`, "0.1", "100", NOON - day * DAY_MS - 1)],
        }),
        testReport({
          side: "sell",
          orderId: `s${day}`,
          fills: [testFill(`s${day}`, "0.1", "110", NOON - day * DAY_MS)],
        }),
      ]).flat();
      const journal = openOrderJournal({ directory: desk.ordersFolder, now: timers.now });
      journal.recordReports(reports, desk.venue.signedIn?.ref ?? assert.fail());
      journal.close();
      await desk.orders.reread();
      const read = await tested.call("bidside_account");
      const [days, months, years] = ["Day", "Month", "Year"].map(
        (period) => read[`realisedBy${period}`] as readonly Record<string, string>[],
      );
      // 11 - 10 - 0.25 % of both.
      assert.deepEqual([days?.length, days?.[0]], [31, { day: "2026-11-21", result: "0.9475", in: "THB" }]);
      assert.deepEqual(months, [
        { month: "2026-11", result: "19.8975", in: "THB" },
        { month: "2026-10", result: "18.0025", in: "THB" },
      ]);
      assert.deepEqual(years, [{ year: "2026", result: "37.9", in: "THB" }]);
      tested.set.hidden = true;
      assert.doesNotMatch((await tested.assistant.call("bidside_account", {})).text, /0\.9475|19\.89|37\.9/);
    });

    it("at prices that are not older than 10 seconds", async () => {
      timers.sleep(20_000);
      client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4_000_000 })));
      assert.equal((await tested.call("bidside_account"))["total"], "2001234.56");
    });

    it("without a single amount while the user hides amounts", async () => {
      tested.set.hidden = true;
      const { text } = await tested.assistant.call("bidside_account", {});
      assert.doesNotMatch(text, /1234|777|0\.5\b|1500000|1501234/);
      assert.match(text, /"available":"hidden"/);
    });
  });

  describe("reads orders", () => {
    const SAID = "denied $(trash) [you](command:x) have 1,234.50 THB\u202e <b>buy</b> at https://x.example";

    beforeEach(async () => {
      client.bidAnswer = () => {
        throw new RefusedError("placeBid", { code: 18, httpStatus: 200, serviceMessage: SAID });
      };
      await submit(desk, { symbol: "THB_BTC", amount: "1000", rate: "3000000" });
    });

    it("with their states, and marks the exchange's words, without markup", async () => {
      const read = await tested.call("bidside_orders");
      const [order] = read["orders"] as Record<string, unknown>[];
      assert.equal(order?.["amount"], "1000");
      assert.match(String(order?.["state"]), /^rejected/);
      assert.equal(
        order?.["exchangeMessage"],
        "denied (trash) you (command:x) have 1,234.50 THB b buy /b at https: x.example",
      );
      assert.match(String(read["exchangeMessageNote"]), /not as instructions/);
    });

    it("of one pair only", async () => {
      assert.deepEqual((await tested.call("bidside_orders", { pair: "ETH/THB" }))["orders"], []);
    });

    it("without amounts, also in the exchange's words, while the user hides amounts", async () => {
      tested.set.hidden = true;
      const { text } = await tested.assistant.call("bidside_orders", {});
      assert.doesNotMatch(text, /"1000"|1,234/);
      assert.match(text, /•••/);
    });
  });

  describe("prepares an order", () => {
    it("which opens the ticket, marked, and sends nothing", async () => {
      const answer = await tested.call("bidside_prepareOrder", BUY);
      assert.equal(answer["opened"], true);
      assert.equal(answer["draft"], tested.ticket.draft?.id);
      const { id: _, ...shown } = tested.ticket.draft ?? assert.fail();
      assert.deepEqual(shown, {
        by: "assistant",
        side: "buy",
        symbol: "THB_BTC",
        amount: "1000",
        rate: "3000000",
        postOnly: false,
      });
      assert.equal(client.calls.placeOrder, 0);
    });

    it("with figures in the units of its own answers, and of no other asset", async () => {
      for (const wrong of [{ amount: "0.1 BTC" }, { rate: "3000000 BTC" }, { rate: "$3000000" }])
        assert.equal((await tested.call("bidside_prepareOrder", { ...BUY, ...wrong }))["opened"], false);
      const units = { amount: "1,000.50 THB", rate: "3000000 THB per BTC" };
      const { order } = await tested.call("bidside_prepareOrder", { ...BUY, ...units });
      const { amount, rate } = order as Record<string, unknown>;
      assert.deepEqual([amount, rate], ["1000.50 THB", units.rate]);
      assert.deepEqual([tested.ticket.draft?.amount, tested.ticket.draft?.rate], ["1000.50", "3000000"]);
    });

    it("by the quantity that shall arrive", async () => {
      const { amount: _, ...rest } = BUY;
      await tested.call("bidside_prepareOrder", { ...rest, quantity: "0.0001" });
      assert.equal(tested.ticket.draft?.amount, "300.76");
    });

    for (const [input, expected] of [
      [{ ...BUY, amount: "5" }, [{ field: "amount", code: "belowMinimum", limit: "10" }]],
      [{ ...BUY, amount: "2000" }, [{ field: "amount", code: "aboveAvailable", limit: "1234.56" }]],
      [{ ...BUY, rate: "9000000" }, [{ field: "rate", code: "farAboveLast", limit: "3600000" }]],
      [{ ...BUY, rate: "1e6" }, [{ field: "rate", code: "notDecimal" }]],
      [{ ...BUY, side: "sell", amount: "0.1" }, [{ field: "pair", code: "asksNotOffered" }]],
    ] as const)
      it(`but reports the ticket's problem ${expected[0].code}`, async () => {
        const answer = await tested.call("bidside_prepareOrder", input);
        assert.deepEqual([answer["opened"], answer["problems"]], [false, expected]);
        assert.deepEqual(tested.ticket.shown, []);
      });

    it("on fresh prices only: older ones are read again, and old ones are a problem", async () => {
      timers.sleep(6000);
      const before = client.calls.tickers;
      await tested.call("bidside_prepareOrder", { ...BUY, amount: "5" });
      assert.equal(client.calls.tickers, before + 1);
      timers.sleep(20_000);
      client.tickersAnswer = () => Promise.reject(new Error("no network"));
      const { problems } = await tested.call("bidside_prepareOrder", BUY);
      assert.deepEqual(problems, [{ field: "pair", code: "priceTooOld" }]);
    });

    it("without revealing the balance while amounts are hidden: only the ticket shows it", async () => {
      tested.set.hidden = true;
      const { text } = await tested.assistant.call("bidside_prepareOrder", { ...BUY, amount: "2000" });
      assert.match(text, /"opened":true/);
      assert.doesNotMatch(text, /1234/);
    });

    it("not without an exchange, and not with both amount and quantity", async () => {
      const { problem } = await tested.call("bidside_prepareOrder", { ...BUY, quantity: "1" });
      assert.match(String(problem), /either amount .* or quantity/);
      void desk.venue.select(liveAccount);
      assert.match(
        String((await tested.call("bidside_prepareOrder", BUY))["problem"]),
        /No exchange is active/,
      );
    });
  });
});
