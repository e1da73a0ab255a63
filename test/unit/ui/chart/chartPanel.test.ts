import type { Pair } from "../../../../src/market/pair.ts";
import assert from "node:assert/strict";
import { commandIds } from "../../../../src/contributions.ts";
import { NotSentError, UnreadableResponseError } from "../../../../src/exchange/errors.ts";
import type { Candle } from "../../../../src/market/candle.ts";
import type { ToChart } from "../../../../src/protocol/chart.ts";
import type { PriceHistory } from "../../../../src/storage/prices/history.ts";
import { settle } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  snapshotOf,
  tickerOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { shownMessages } from "../../../support/fakes/vscode.ts";
import { eachTestOpensCharts } from "../../../support/pages/openChartPanel.ts";
import { openForm } from "../../../support/pages/openForm.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const unreachable = (): Promise<never> => Promise.reject(new NotSentError("tickers", "unreachable", "x"));

/** A client whose exchange has a price history, with the candles that the test puts in. */
class HistoryClient extends FakeClient {
  past: () => Promise<readonly Candle[]> = () => Promise.resolve([]);
  readonly asked: string[] = [];
  readonly history = (_pair: Pair, interval: string): Promise<readonly Candle[]> => {
    this.asked.push(interval);
    return this.past();
  };
}

const { openPanel } = eachTestOpensCharts();

describe("input in a page", () => {
  it("in a chart counts as user activity", async () => {
    const { panel, inputs } = await openPanel(new FakeClient());
    panel.receive({ type: "input" });
    assert.equal(inputs(), 1);
  });

  it("in the order ticket counts as user activity", async () => {
    const form = await openForm("http://127.0.0.1:9");
    form.presence.setActive(false);
    assert.equal(form.presence.isPresent, false);
    form.input();
    assert.equal(form.presence.isPresent, true);
    await form.close();
  });
});

describe("the first chart of an exchange without a history", () => {
  it("offers to set the history path, and opens the account", async () => {
    const empty = { candles: () => Promise.resolve([]) } as unknown as PriceHistory;
    const { last, panel } = await openPanel(new FakeClient(), { history: empty });
    assert.match(last("candles").note, /^No price history yet\./);
    assert.equal(last("candles").action, "Set History Path");
    shownMessages.length = 0;
    panel.receive({ type: "action" });
    const [opened] = shownMessages;
    assert.equal(opened?.text, commandIds.editAccount);
  });

  it("offers nothing if the exchange has price histories, but none of this pair", async () => {
    const { last } = await openPanel(new HistoryClient());
    assert.deepEqual(
      [last("candles").note, last("candles").action],
      ["The exchange has no price history for this pair.", ""],
    );
  });
});

describe("a chart restored after a reload", () => {
  it("reads and shows only candles of its previous interval", async () => {
    const client = new HistoryClient();
    const { posted } = await openPanel(client, { interval: "1h" });
    const shown = posted.flatMap((message) => (message.type === "candles" ? [message.interval] : []));
    assert.deepEqual([new Set(client.asked), new Set(shown)], [new Set(["1h"]), new Set(["1h"])]);
  });
});

describe("the page of a chart that is visible at once", () => {
  const candle: Candle = { time: 1_795_000_020_000, open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const kinds = (posted: readonly ToChart[]): string[] => posted.map(({ type }) => type);

  it("receives its content once while loading", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.resolve([candle]);
    const { panel, posted, last } = await openPanel(client, { visible: true });
    assert.deepEqual([kinds(posted)[0], last("candles").candles], ["market", [candle]]);
    posted.length = 0;
    panel.receive({ type: "ready", interval: "1m", isFilled: true });
    assert.deepEqual(kinds(posted), []);
  });

  it("receives its content again if the messages were lost", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.resolve([candle]);
    const { panel, posted, last } = await openPanel(client, { visible: true });
    posted.length = 0;
    panel.receive({ type: "ready", interval: "1m", isFilled: false });
    assert.deepEqual(kinds(posted), ["market", "candles"]);
    assert.deepEqual(last("candles").candles, [candle]);
  });

  it("receives candles that arrive while it loads", async () => {
    let answer: (candles: readonly Candle[]) => void = () => assert.fail();
    const client = new HistoryClient();
    client.past = () => new Promise((resolve) => (answer = resolve));
    const { posted } = await openPanel(client, { visible: true });
    assert.deepEqual(kinds(posted), ["market", "loading"]);
    answer([candle]);
    await settle();
    assert.deepEqual(kinds(posted), ["market", "loading", "candles"]);
  });

  it("receives nothing when shown again until it asks", async () => {
    const { panel, posted, tickers } = await openPanel(new HistoryClient(), { visible: true });
    panel.setVisible(false);
    posted.length = 0;
    await tickers.refresh();
    panel.setVisible(true);
    await tickers.refresh();
    assert.deepEqual(kinds(posted), []);
    panel.receive({ type: "ready", interval: "1m", isFilled: false });
    assert.deepEqual(kinds(posted).slice(0, 2), ["market", "candles"]);
  });
});

describe("the note of a chart without fresh prices", () => {
  it("is the reason, from the first failed poll", async () => {
    const client = new HistoryClient();
    client.tickersAnswer = unreachable;
    const { last, tickers } = await openPanel(client);
    assert.equal(last("market").note, "");
    await tickers.refresh();
    assert.match(last("market").note, /^Practice cannot be reached\./);
  });
});

describe("a chart whose history could not be read", () => {
  it("offers the most helpful action, and runs it only when chosen", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.reject(new UnreadableResponseError("history", "notJson", 200, "x"));
    const { panel, last } = await openPanel(client);
    assert.match(last("failed").text, /^The price history cannot be shown\. /);
    assert.equal(last("failed").action, "Edit Account…");
    shownMessages.length = 0;
    panel.receive({ type: "action", command: "workbench.action.quit" });
    assert.deepEqual(shownMessages, []);
    panel.receive({ type: "action" });
    assert.deepEqual(shownMessages, [{ how: "command", text: commandIds.editAccount, more: "[]" }]);
  });

  it("runs no action after the candles arrived", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.reject(new UnreadableResponseError("history", "notJson", 200, "x"));
    const { panel } = await openPanel(client);
    client.past = () => Promise.resolve([]);
    panel.receive({ type: "retry" });
    await settle();
    shownMessages.length = 0;
    panel.receive({ type: "action" });
    assert.deepEqual(shownMessages, []);
  });
});

describe("a chart whose exchange changes", () => {
  it("shows at once that its candles are from another exchange", async () => {
    let open: (opening: ReturnType<typeof openingOf>) => void = () => undefined;
    const client = new HistoryClient();
    const venue = currentVenue({
      open: byKind({
        practice: () => Promise.resolve(openingOf("http://127.0.0.1:1", { name: "Practice" })),
        live: () => new Promise((resolve) => (open = resolve)),
      }),
      createClient: () => client,
    });
    await venue.select(practiceAccount);
    const { posted, last } = await openPanel(client, { venue });
    posted.length = 0;
    const selected = venue.select(liveAccount);
    assert.deepEqual(posted[0], { type: "loading", isOtherVenue: true });
    open(openingOf("https://api.example.com"));
    await selected;
    await settle();
    assert.equal(last("market").venue.name, "api.example.com");
    assert.equal(last("candles").candles.length, 0);
  });
});

describe("the tab of a chart", () => {
  it("is titled with the symbol until the pair is known, and afterwards with the pair's name", async () => {
    const { panel, tickers } = await openPanel(new FakeClient());
    const title = (): unknown => (panel as { title?: string }).title;
    const adopt = (symbol: string, readAt: number): void =>
      tickers.adopt({ ...snapshotOf(tickerOf(symbol)), readAt, problem: undefined });
    assert.equal(title(), "THB_BTC Chart");
    adopt("THB_BTC", 1);
    assert.equal(title(), "BTC/THB Chart");
    adopt("THB_ETH", 2);
    assert.equal(title(), "BTC/THB Chart");
  });
});
