import assert from "node:assert/strict";
import type { Alerts } from "../../../../src/desk/alerts/alerts.ts";
import { MAX_LINES } from "../../../../src/desk/drawnLines.ts";
import type { Alert, AlertRule } from "../../../../src/market/alertRule.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { settle } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { shownMessages, typed } from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { eachTestOpensCharts } from "../../../support/pages/openChartPanel.ts";

const { openPanel } = eachTestOpensCharts();

const level = (price: string) => ({ kind: "level", price }) as const;

/** A chart of THB_BTC at 100, with these alerts. */
async function openChart(...list: readonly Alert[]) {
  const client = new FakeClient();
  client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 100 })));
  const edits: AlertRule[] = [];
  const alerts = {
    list,
    get: (id: string) => list.find((each) => each.id === id),
    edit: (_id: string, rule: AlertRule) => edits.push(rule),
    onDidChange: () => () => undefined,
  } as unknown as Alerts;
  const chart = await openPanel(client, { visible: true, alerts: () => Promise.resolve(alerts) });
  await chart.tickers.refresh();
  await settle();
  const texts = (): string[] => chart.last("marks").marks.map(({ text }) => text);
  const receive = async (message: unknown): Promise<void> => {
    chart.panel.receive(message);
    await settle();
  };
  return { ...chart, edits, texts, receive };
}

describe("a line drawn in a chart", () => {
  it("is stored, and shown by every chart of its pair until it is removed", async () => {
    const { receive, texts, lines } = await openChart();
    await receive({ type: "drawLine", shape: level("110") });
    const { id } = lines.of("THB_BTC")[0] ?? assert.fail();
    assert.deepEqual(texts(), ["Line at 110.00"]);
    const ref = { kind: "drawn", id };
    await receive({ type: "moveLine", ref, shape: level("120.5") });
    typed.push("Resistance ");
    await receive({ type: "editLine", ref });
    await waitFor("its name", () => texts().join() === "Resistance at 120.50");
    await receive({ type: "removeLine", ref });
    assert.deepEqual(texts(), []);
  });

  it("has its ends in words if it is a trend", async () => {
    const { receive, texts } = await openChart();
    const [from, to] = [
      { at: new Date(2026, 10, 21, 9).getTime(), price: "90" },
      { at: new Date(2026, 10, 21, 10).getTime(), price: "95" },
    ];
    await receive({ type: "drawLine", shape: { kind: "trend", from, to } });
    assert.match(texts()[0] ?? "", /^Trend line from 90\.00 \(.*9:00.*\) to 95\.00 \(.*10:00.*\)$/);
  });

  it("is refused with a message if the pair has too many", async () => {
    const { receive, lines } = await openChart();
    for (let count = 0; count < MAX_LINES; count += 1) lines.draw("THB_BTC", level("110"));
    shownMessages.length = 0;
    await receive({ type: "drawLine", shape: level("111") });
    assert.equal(lines.of("THB_BTC").length, MAX_LINES);
    assert.match(shownMessages[0]?.text ?? "", /at most 50 lines/);
  });
});

describe("the line of an alert in a chart", () => {
  const alert = testAlert();
  const ref = { kind: "alert", id: alert.id, edge: "price" };

  it("moves its alert, whose side follows the last price", async () => {
    const { receive, edits } = await openChart(alert);
    await receive({ type: "moveLine", ref, shape: level("120") });
    await receive({ type: "moveLine", ref, shape: level("90") });
    assert.deepEqual(edits, [
      { kind: "above", price: "120" },
      { kind: "below", price: "90" },
    ]);
  });

  it("returns to its place if the price is where it was moved to", async () => {
    const { receive, edits, posted } = await openChart(alert);
    const sent = (): number => posted.filter(({ type }) => type === "marks").length;
    const before = sent();
    await receive({ type: "moveLine", ref, shape: level("100") });
    assert.deepEqual([edits, sent()], [[], before + 1]);
  });
});
