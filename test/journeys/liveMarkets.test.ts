import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settingKeys } from "../../src/contributions.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { createMarket } from "../../src/practice/market/market.ts";
import { createReplay } from "../../src/practice/market/replay.ts";
import { readRecording } from "../../src/storage/prices/recording.ts";
import { RECORDED_HOUR } from "../support/builders/recordedHour.ts";
import { killAll, startAndRead } from "../support/processes/children.ts";
import { waitFor } from "../support/waitFor.ts";
import { livePair, withStreams } from "./support/openLive.ts";
import { star } from "./support/rows.ts";
import { leaveEditor, takeEditor } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const SYMBOL = "THB_BTC";
/** A price of this pair, with all its digits. */
const PRICE = /\d[\d,]{6,}\.\d\d/;
/** Three streamed prices, a second apart, fit between two polls also in a busy editor. */
const POLL_S = 10;
/** In this time, something that needs two polls has happened. */
const POLLS_MS = 40_000;
/** No price may be shown as fresh for longer after it was true: a stream counts as stalled after 15 s. */
const LONGEST_MS = 20_000;
/** Connections of the set-up, which looks whether the exchange streams prices. */
const LOOKS = 1;

describe("a person who watches a live market", () => {
  const market = createMarket("live");
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    const switches = { streams: ["ticker"] as const };
    // The set-up asks once for each order of a pair's assets, and finds no history: so Bidside records the prices.
    const refused = { kind: "code", when: "before", code: 11 } as const;
    exchange = await startProxiedPractice({
      credentials: livePair,
      now: Date.now,
      switches,
      market,
    });
    for (let order = 0; order < 2; order += 1) exchange.faults.next("history", refused);
    workbench = await takeEditor({ settings: withStreams });
    workbench.changeSettings((before) => ({ ...before, [settingKeys.refreshSeconds]: POLL_S }));
    await workbench.reloadEmpty();
    await workbench.goLive(exchange.baseUrl, livePair);
    // A favourite is at the top on every exchange.
    await star(workbench, SYMBOL);
    await workbench.openTicket();
    await workbench.draft({ symbol: SYMBOL });
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
    await killAll();
  });

  async function prices(): Promise<readonly string[]> {
    const shown = [workbench.row(SYMBOL), workbench.form.locator("#last")];
    return await Promise.all(shown.map(async (place) => PRICE.exec(await place.innerText())?.[0] ?? ""));
  }

  /** Waits until row and ticket changed three times with no poll in between, so only the stream can have these prices. */
  async function followStream(from: ProxiedPractice, limitMs = POLLS_MS): Promise<void> {
    let [before, polls, changes] = [await prices(), from.requests.tickers, 0];
    await waitFor(
      "row and ticket to follow the stream",
      async () => {
        const now = await prices();
        if (from.requests.tickers !== polls) [before, polls, changes] = [now, from.requests.tickers, 0];
        if (now.some((price, index) => price === before[index])) return false;
        [before, changes] = [now, changes + 1];
        return changes >= 3;
      },
      limitMs,
    );
  }

  /** Waits until polls changed row and ticket twice, and neither is stale. */
  async function followReadings(): Promise<void> {
    for (let poll = 0; poll < 2; poll += 1) {
      const [before, polls] = [await prices(), exchange.requests.tickers];
      await waitFor(
        "row and ticket to follow polls",
        async () => {
          const now = await prices();
          return exchange.requests.tickers > polls && now.every((price, index) => price !== before[index]);
        },
        POLLS_MS,
      );
    }
    await workbench.row(SYMBOL).filter({ hasNotText: "stale" }).waitFor();
    await workbench.form.locator("#age:empty").waitFor({ state: "attached" });
  }

  it("sees row and ticket change between two polls, over one connection", async () => {
    await followStream(exchange);
    assert.deepEqual([exchange.streams.count("ticker"), exchange.streams.opened.ticker], [1, LOOKS + 1]);
    assert.equal(await workbench.message.isVisible(), false, "Markets shows no message");
    await workbench.screenshot("live-market");
  });

  it("has no connection to the exchange while no price is visible, and gets the next price over a new one", async () => {
    await workbench.command("View: Close All Editors");
    await workbench.command("View: Toggle Primary Side Bar Visibility");
    await waitFor("no connection", () => exchange.streams.count("ticker") === 0);
    await workbench.showSidebar();
    await workbench.openTicket();
    await workbench.draft({ symbol: SYMBOL });
    await followStream(exchange);
    assert.deepEqual([exchange.streams.count("ticker"), exchange.streams.opened.ticker], [1, LOOKS + 2]);
  });

  describe("whose stream fails", () => {
    let shown: () => Promise<readonly ShownPrice[]>;
    /** When wrong prices were streamed. */
    const lie = { from: 0, to: 0 };

    before(async () => {
      shown = await recordRow(workbench, SYMBOL);
    });

    it("sees polled prices after the stream stalled and no other can be opened", async () => {
      exchange.streams.faults.flow = "stalled";
      exchange.streams.faults.refusal = { status: 503 };
      await followReadings();
      assert.equal(await workbench.message.isVisible(), false, "Markets shows no message");
    });

    it("sees the correct prices after a stream contradicted two polls, without a notification", async () => {
      exchange.streams.faults.priceFactor = 1.2;
      lie.from = Date.now();
      exchange.streams.faults.flow = "usual";
      exchange.streams.faults.refusal = undefined;
      const isOpen = (): boolean => exchange.streams.count("ticker") === 1;
      await waitFor("the stream", isOpen, 60_000);
      await waitFor("the end of the stream", () => !isOpen(), POLLS_MS);
      exchange.streams.faults.priceFactor = 1;
      await followReadings();
      lie.to = Date.now();
      assert.equal(await workbench.message.isVisible(), false, "Markets shows no message");
      assert.equal(await workbench.page.locator(".notification-toast").count(), 0);
    });

    it("follows the stream again in two windows once it is correct, over one connection", async () => {
      const second = await workbench.secondWindow();
      await followStream(exchange, 2 * POLLS_MS);
      for (let move = 0; move < 3; move += 1) {
        const before = await second.row(SYMBOL).innerText();
        const isNext = async (): Promise<boolean> => (await second.row(SYMBOL).innerText()) !== before;
        await waitFor("the next price in the second window", isNext);
      }
      assert.equal(exchange.streams.count("ticker"), 1);
      await second.page.close();
    });

    it("follows a new connection after the old one broke, and shows no wrong price but those of the wrong stream", async () => {
      exchange.streams.drop("ticker");
      await followStream(exchange);
      const samples = (await shown()).filter(({ at }) => at < lie.from || at > lie.to);
      assert.ok(new Set(samples.map(({ price }) => price)).size > 10, `${samples.length} samples`);
      for (const sample of samples) assertTrue(sample);
    });

    /** Fails unless the price was the market's at one of the moments before. A price between two of them counts. */
    function assertTrue({ at, price }: ShownPrice): void {
      const moments = Array.from({ length: LONGEST_MS / 100 }, (_, index) => at - index * 100);
      const last = moments.map((moment) => market.quoteAt(SYMBOL, moment).last);
      const [low, high] = [Math.min(...last) * 0.9999, Math.max(...last) * 1.0001];
      assert.ok(low <= price && price <= high, `${price} at ${at}: the market was ${low} to ${high}`);
    }
  });

  describe("of recorded prices", () => {
    /** The lowest and the highest price in the content of a recording. */
    function rangeOf(content: Buffer): { readonly low: number; readonly high: number } {
      const candles = readRecording(content).get(SYMBOL) ?? assert.fail("no candles");
      return {
        low: Math.min(...candles.map(({ low }) => low)),
        high: Math.max(...candles.map(({ high }) => high)),
      };
    }

    async function assertWithin({ low, high }: ReturnType<typeof rangeOf>): Promise<void> {
      for (const text of await prices()) {
        const price = Number(text.replaceAll(",", ""));
        assert.ok(low <= price && price <= high, `${price} is not in ${low} to ${high}`);
      }
    }

    async function open(baseUrl: string, pair: typeof livePair): Promise<void> {
      await workbench.goLive(baseUrl, pair);
      await workbench.row(SYMBOL).waitFor();
      await workbench.draft({ symbol: SYMBOL });
    }

    it("sees a recorded hour played at sixty times its speed", async () => {
      const args = ["--port", "0", "--replay", RECORDED_HOUR, "--speed", "60"];
      const { line } = await startAndRead<typeof livePair & { baseUrl: string }>(
        "src/practice/cli.ts",
        ...args,
      );
      await open(line.baseUrl, line);
      const range = rangeOf(readFileSync(RECORDED_HOUR));
      for (let move = 0; move < 3; move += 1) {
        const before = await prices();
        await waitFor("the next prices", async () =>
          (await prices()).every((price, index) => price !== before[index]),
        );
        await assertWithin(range);
      }
      await workbench.screenshot("live-market-replayed");
      assert.equal(await workbench.rows.count(), 8);
    });

    it("sees the prices that Bidside recorded earlier, streamed again", async () => {
      const source = encodeURIComponent(new URL(exchange.baseUrl).host);
      const [file = assert.fail("nothing was recorded"), ...others] = globSync(`*${source}*/prices-*.log`, {
        cwd: join(workbench.recordsFolder, "history"),
      });
      assert.deepEqual(others, []);
      const content = readFileSync(join(workbench.recordsFolder, "history", file));
      const replayed = createReplay(readRecording(content), { startedAt: Date.now(), speed: 10 });
      const switches = { streams: ["ticker"] as const };
      const again = await startProxiedPractice({
        credentials: livePair,
        now: Date.now,
        switches,
        market: replayed,
      });
      try {
        await open(again.baseUrl, livePair);
        await followStream(again);
        await assertWithin(rangeOf(content));
      } finally {
        await again.close();
      }
    });
  });
});

/** A price that a row showed without calling it stale, and when, in ms since the epoch. */
interface ShownPrice {
  readonly at: number;
  readonly price: number;
}

/** Records ten times a second what a row of Markets shows. The returned function reads all of it. */
async function recordRow(
  workbench: Workbench,
  symbol: string,
): Promise<() => Promise<readonly ShownPrice[]>> {
  const [, base = symbol] = symbol.split("_");
  const body = workbench.page.locator("body");
  await body.evaluate((page, name) => {
    const window = page.ownerDocument.defaultView as unknown as { shownRows: [number, string][] };
    const shownRows: [number, string][] = (window.shownRows = []);
    setInterval(() => {
      for (const row of page.querySelectorAll(".monaco-list-row"))
        if (row.querySelector(".label-name")?.textContent === name)
          shownRows.push([Date.now(), row.textContent ?? ""]);
    }, 100);
  }, base);
  return async () => {
    const rows = await body.evaluate(
      (page) => (page.ownerDocument.defaultView as unknown as { shownRows: [number, string][] }).shownRows,
    );
    return rows
      .filter(([, text]) => !text.includes("stale"))
      .flatMap(([at, text]) => {
        const price = PRICE.exec(text)?.[0];
        return price === undefined ? [] : [{ at, price: Number(price.replaceAll(",", "")) }];
      });
  };
}
