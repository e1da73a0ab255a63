import assert from "node:assert/strict";
import { parseSymbol } from "../../src/market/pair.ts";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { stateKeys } from "../../src/contributions.ts";
import { systemTimers } from "../../src/desk/time/timers.ts";
import { star } from "../../src/desk/watchlist/edits.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { plainText } from "../../src/market/numbers/decimal.ts";
import { readEvent } from "../../src/practice/account/events.ts";
import { Exchange } from "../../src/practice/account/exchange.ts";
import { Ledger } from "../../src/practice/account/ledger.ts";
import { openPractice, type EmbeddedPractice } from "../../src/practice/embedded.ts";
import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import { AlertFiles } from "../../src/storage/alertFiles.ts";
import { openAppendLog, readAppendLog } from "../../src/storage/appendLog.ts";
import { openOrderJournal, type OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { openPriceHistory } from "../../src/storage/prices/history.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import { bidBody, getWallet, postBid } from "../support/builders/practiceRequest.ts";
import {
  alertsOf,
  candlesOf,
  idOf,
  MINUTE,
  NEXT_DAY,
  numberOf,
  ORIGIN,
  pairs,
  recorded,
  STORED,
  versions,
} from "../support/builders/storedVersions.ts";
import { openAlertWindow } from "../support/desks/alertWindow.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { withTickersOnly } from "../support/fakes/discovery.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { HollowStore, loadUi, shownMessages, typed, userSettings, window } from "../support/fakes/vscode.ts";

const { CredentialStore } = await loadUi(() => import("../../src/ui/venue/credentialStore.ts"));
const { setUpLive } = await loadUi(() => import("../../src/ui/venue/setUpLive.ts"));
const settings = await loadUi(() => import("../../src/ui/settings.ts"));
const { WatchlistStore } = await loadUi(() => import("../../src/ui/markets/watchlistStore.ts"));

for (const version of versions) {
  describe(`data that was stored by ${version.commit}`, () => {
    let directory: string;
    let storage: string;

    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), "stored-"));
      storage = join(directory, "globalStorage");
      cpSync(new URL(`../fixtures/stored/${version.commit}`, import.meta.url), directory, {
        recursive: true,
      });
      // Old claims of drafts are deleted, so the copies get the originals' age.
      const at = STORED / 1000;
      const drafts = join(storage, "orders/drafts");
      for (const name of readdirSync(drafts)) utimesSync(join(drafts, name), at, at);
    });
    afterEach(() => rmSync(directory, { recursive: true, force: true }));

    const storedJson = (name: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(directory, name), "utf8")) as Record<string, unknown>;
    const storeOf = (name: string): HollowStore => {
      const store = new HollowStore();
      for (const [key, value] of Object.entries(storedJson(name))) void store.update(key, value);
      return store;
    };

    describe("orders", () => {
      let folder: string;
      let journal: OrderJournal;

      const open = (now = NEXT_DAY): OrderJournal => openOrderJournal({ directory: folder, now: () => now });
      const statesIn = (opened: OrderJournal): Record<number, string> =>
        Object.fromEntries(opened.orders().map(({ intent, state }) => [numberOf(intent.id), state]));
      const eventIn = (number: number, kind: string): unknown => {
        const bid = journal.orders().find(({ intent }) => intent.id === idOf(number));
        return bid?.evidence.find((event) => event.kind === kind);
      };

      beforeEach(() => {
        folder = join(storage, "orders");
        journal = open();
      });
      afterEach(() => journal.close());

      it("are all listed with their states, without a damaged or unknown line", () => {
        assert.deepEqual(statesIn(journal), version.orders);
        assert.deepEqual(journal.skippedLines, []);
      });

      it("have every record that is in the files", () => {
        const written = join("test/fixtures/stored", version.commit, "globalStorage/orders");
        const stored = readdirSync(written)
          .filter((name) => name.startsWith("orders-"))
          .flatMap((name) => recordsOf(join(written, name)));
        const expected = stored.filter(({ kind }) => kind !== "accountReset");
        const read = journal
          .orders()
          .flatMap(({ intent, evidence }) => [{ kind: "intent", ...intent }, ...evidence]);
        assert.equal(read.length, version.orderRecords);
        assert.deepEqual(sorted(read), sorted(expected));
      });

      it("have the exact evidence for their states", () => {
        const orderIds = journal
          .orders()
          .flatMap(({ intent, orderId }) => (orderId ? [[numberOf(intent.id), orderId]] : []));
        const newest = version.hasSetUp ? [[19, "19"]] : [];
        assert.deepEqual(orderIds, [...newest, [13, "13"], [1, "9007199254740993123"]]);
        assert.partialDeepStrictEqual(eventIn(4, "outcome"), { code: "RATE", retryAt: 1_789_028_461_400 });
        assert.partialDeepStrictEqual(eventIn(3, "outcome"), {
          code: 18,
          message: "Not enough THB available.",
        });
        assert.partialDeepStrictEqual(eventIn(6, "outcome"), { reason: "Too many requests." });
        assert.partialDeepStrictEqual(eventIn(8, "check"), { available: "248999.5", verdict: "placed" });
        assert.partialDeepStrictEqual(eventIn(9, "settled"), { by: "check", as: "notPlaced" });
        assert.partialDeepStrictEqual(eventIn(7, "settled"), { by: "user", as: "placed" });
        const { message } = eventIn(17, "outcome") as { message: string };
        assert.match(message, /^ไม่พอ – “x” 🙂\n,;/);
        assert.equal(message.length, 500);
        if (version.hasSetUp) {
          const differences = [{ field: "rate", sent: "109999.95", told: "110000" }];
          assert.partialDeepStrictEqual(eventIn(19, "outcome"), { differences });
        }
      });

      it("are not sent again: a claimed draft stays claimed", () => {
        assert.deepEqual(
          [91, 92, 93].map((number) => journal.isDraftClaimed(idOf(number))),
          [true, true, false],
        );
        assert.deepEqual(
          [91, 92, 93].map((number) => journal.claimDraft(idOf(number))),
          [false, false, true],
        );
      });

      it("stay when their months are merged and new records are written", () => {
        const october = readdirSync(folder).filter((name) => name.includes("2026-10"));
        assert.match(october.join(), /^orders-2026-10-merged-\w+\.log$/);
        journal.settle(idOf(14), { by: "user", as: "notPlaced", evidence: "Marked by the user." });
        journal.recordIntent(bidIntent({ id: idOf(20), at: NEXT_DAY }));
        journal.recordOutcome(idOf(20), { state: "accepted", orderId: "20" });
        journal.close();
        journal = open(Date.UTC(2026, 11, 2));
        assert.deepEqual(statesIn(journal), { ...version.orders, 14: "notPlaced", 20: "accepted" });
        assert.deepEqual(journal.skippedLines, []);
      });
    });

    describe("the practice account", () => {
      let folder: string;
      let practice: EmbeddedPractice;
      let now: number;

      const events = (): ReturnType<typeof readEvent>[] =>
        readAppendLog(join(folder, "ledger.log")).records.map(({ record }) => readEvent(record));
      const recordedEvents = (): string[] =>
        events().map((event) => ("id" in event ? `${event.kind} ${event.id}` : event.kind));
      const open = (): Promise<EmbeddedPractice> =>
        openPractice({
          directory: folder,
          now: () => now,
          timers: systemTimers,
          openLog: (path) => openAppendLog({ path, sync: false }),
        });

      beforeEach(async () => {
        folder = join(storage, "practice");
        // At the time of its last event the market has filled no other order.
        now = Math.max(...events().map((event) => ("at" in event ? event.at : 0)));
        practice = await open();
      });
      afterEach(() => practice.close());

      it("has every event, and no damaged event", () => {
        assert.deepEqual(recordedEvents(), version.ledger);
        assert.equal(practice.skippedLines, 0);
      });

      it("has its balances, and the amounts that open orders reserve", async () => {
        const { result } = await getWallet(practice.baseUrl, now, practice.credentials);
        assert.deepEqual(result, version.wallet);
        const ledger = new Ledger();
        const all = events();
        const end = all.findIndex(({ kind }) => kind === "reset");
        for (const event of end === -1 ? all : all.slice(0, end)) ledger.apply(event);
        assert.deepEqual(
          [...ledger.wallet()].map(([asset, { available, reserved }]) => [
            asset,
            plainText(available),
            plainText(reserved),
          ]),
          [
            ["THB", "982299.25", "700.25"],
            ["BTC", "0.00384406", "0"],
            ["DOT", "39.558217", "0"],
          ],
        );
      });

      it("lists every order since its last reset, open or filled", async () => {
        const orders = new Exchange(createMarket(DEFAULT_SEED), {
          records: readAppendLog(join(folder, "ledger.log")).records.map(({ record }) => record),
          append: () => assert.fail("nothing is recorded"),
        }).orders;
        const states = [...orders].map(([id, { matches, closed }]) => [
          id,
          closed?.as ?? "open",
          matches.length,
        ]);
        assert.deepEqual(states, version.ledgerOrders);
      });

      it("keeps its key pair", () => {
        assert.deepEqual(practice.credentials, {
          apiKey: "practice-0000000000000007",
          apiSecret: `${"0".repeat(63)}8`,
        });
      });

      it("continues with the next order after all earlier events", async () => {
        const rate = Math.round(createMarket(DEFAULT_SEED).quoteAt("THB_BTC", now).last * 1.1);
        const body = bidBody("THB_BTC", 1000, rate);
        assert.equal((await postBid(practice.baseUrl, body, now, practice.credentials)).error, 0);
        await practice.close();
        practice = await open();
        const next = version.ledger.filter((event) => event.startsWith("bid ")).length + 1;
        assert.deepEqual(recordedEvents(), [...version.ledger, `bid ${next}`]);
        assert.equal(practice.skippedLines, 0);
      });
    });

    describe("alerts", () => {
      const alertsIn = (): AlertFiles => new AlertFiles(join(storage, "alerts"));

      it("are all listed, with rule and state", () => {
        assert.deepEqual(alertsIn().list(), alertsOf(version));
      });

      it("do not announce a firing again, and still fire", async () => {
        const book = alertsIn();
        const announced: string[] = [];
        const timers = new FakeTimers(NEXT_DAY);
        const { alerts, show, close } = await openAlertWindow(storage, timers, ({ id }) =>
          announced.push(id),
        );
        await timers.advance(5000);
        assert.deepEqual(announced, []);
        assert.equal(alerts.list.length, 11);
        await show(3_600_000);
        close();
        assert.deepEqual(announced, [idOf(1)]);
        const [first, ...others] = book.list();
        assert.equal(first?.phase, "fired");
        assert.deepEqual(others, alertsOf(version).slice(1));
      });
    });

    describe("recorded prices", () => {
      it("have every minute of every pair and source", async () => {
        const history = openPriceHistory({ directory: join(storage, "history"), maximumBytes: () => 5e7 });
        for (const [source, start] of recorded) {
          for (const symbol of Object.keys(pairs)) {
            const expected = candlesOf(symbol, start);
            assert.deepEqual(
              await history.candles(
                source,
                parseSymbol(symbol, "quoteFirst") ?? assert.fail(symbol),
                0,
                NEXT_DAY,
              ),
              expected,
              `${source} ${symbol}`,
            );
          }
        }
      });

      it("stay when new prices are recorded", async () => {
        const history = openPriceHistory({ directory: join(storage, "history"), maximumBytes: () => 5e7 });
        history.record(ORIGIN, NEXT_DAY, [tickerOf("THB_BTC", { last: 2e6 })]);
        history.pause();
        const found = await history.candles(ORIGIN, { quote: "THB", base: "BTC" }, 0, NEXT_DAY + MINUTE);
        assert.deepEqual(found.slice(0, -1), candlesOf("THB_BTC", STORED - 1440 * MINUTE));
        assert.equal(found.at(-1)?.close, 2e6);
      });
    });

    describe("in the editor's own stores", () => {
      beforeEach(() => {
        userSettings.clear();
        shownMessages.length = 0;
        typed.length = 0;
      });
      afterEach(() => userSettings.clear());

      it("the watchlist has its favourites, order, pins and sorting, also after a change", async () => {
        const list = new WatchlistStore(storeOf("globalState.json") as never);
        const expected = {
          favourites: ["THB_XRP", "USDT_BTC", "THB_BTC", "THB_ETH"],
          own: ["THB_ADA", "THB_SOL", "THB_DOGE"],
          pinned: ["THB_BTC", "THB_SOL"],
          sort: { by: "own", down: true },
          favouritesOnly: true,
        };
        assert.deepEqual(list.state, expected);
        await list.change((state) => star(state, "THB_ADA"));
        assert.deepEqual(list.state, { ...expected, favourites: [...expected.favourites, "THB_ADA"] });
        list.dispose();
      });

      it("the key pair is found for its exchange", async () => {
        const pair = await new CredentialStore(storeOf("secrets.json") as never).forOrigin(ORIGIN);
        assert.deepEqual(
          [pair?.apiKey.reveal(), pair?.apiSecret.reveal()],
          ["example-key", "example-secret"],
        );
        assert.ok(pair?.apiSecret instanceof Secret);
      });

      if (version.hasSetUp) {
        it("an unfinished set-up continues with the secret", async () => {
          const memento = storeOf("globalState.json");
          assert.ok(memento.keys().includes(stateKeys.liveSetup));
          const log = window.createOutputChannel();
          await setUpLive({
            desk: { timers: systemTimers, log },
            memento,
            store: new CredentialStore(storeOf("secrets.json") as never),
            extensionUri: { fsPath: "" } as never,
            discovery: withTickersOnly,
          });
          const asked = shownMessages.find(({ how }) => how === "input box");
          assert.equal(asked?.text, "API Secret for https://second.example.com");
        });
      }

      it("every setting still exists and accepts its value", () => {
        const stored = Object.entries(storedJson("settings.json"));
        assert.equal(stored.length, version.settings);
        for (const [key, value] of stored) {
          const schema = schemas[key];
          assert.ok(schema, `${key} was removed: read its value under the new key, and name that key here.`);
          assert.deepEqual(z.fromJSONSchema(schema as never).safeParse(value).error, undefined, key);
        }
      });

      it("every setting has its effect", () => {
        for (const [key, value] of Object.entries(storedJson("settings.json"))) userSettings.set(key, value);
        assert.equal(settings.venueSetting(), "live");
        assert.deepEqual(settings.profileSetting(), {
          baseUrl: ORIGIN,
          headerPrefix: "X-OTHER-",
          paths: { serverTime: "/v2/time", tickers: "/v2/ticker", wallet: "/v2/wallet", placeBid: "/v2/bid" },
          walletMethod: "POST",
          symbolOrder: "baseFirst",
          historyPath: "/tradingview/history?symbol={base}_{quote}",
          features: {},
        });
        assert.equal(settings.refreshIntervalMs(), 15_000);
        assert.equal(settings.colorsAreInverted(), true);
        assert.equal(settings.shownAmounts().areHidden, true);
        assert.equal(settings.keysAreShown(), version.settings === 15);
        assert.equal(settings.historyMaximumBytes(), 120 * 1024 * 1024);
        const { confirmBeyondPercent, refuseBeyondPercent, maximumAmount, maximumPriceAgeMs } =
          settings.orderLimits();
        assert.deepEqual(
          [confirmBeyondPercent, refuseBeyondPercent, maximumAmount, maximumPriceAgeMs].map(String),
          ["1.5", "12.5", "25000.5", "7500"],
        );
      });
    });
  });
}

/** Parses a journal file without the tested code. */
function recordsOf(path: string): { readonly kind: string }[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))) as { kind: string });
}

/** As text, because the order of fields and records may differ. */
function sorted(records: readonly object[]): string[] {
  return records
    .map((record) => JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort();
}

/** The schema of each setting, by its key. */
const schemas = Object.assign(
  {},
  ...(
    JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: { configuration: readonly { properties: object }[] };
    }
  ).contributes.configuration.map(({ properties }) => properties),
) as Readonly<Record<string, object>>;
