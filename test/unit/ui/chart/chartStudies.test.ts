import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import type { ChartSetup } from "../../../../src/protocol/chart.ts";
import { settle } from "../../../support/fakes/timers.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { type HollowPanel, userSettings } from "../../../support/fakes/vscode.ts";
import { eachTestOpensCharts } from "../../../support/pages/openChartPanel.ts";

/** The data that a page was built with. */
async function setupIn(panel: HollowPanel): Promise<ChartSetup> {
  const [, json] = /<script type="application\/json" id="setup">([^<]*)</.exec(await panel.page) ?? [];
  return JSON.parse(json ?? assert.fail()) as ChartSetup;
}

describe("the studies of a chart", () => {
  const { openPanel } = eachTestOpensCharts();
  afterEach(() => userSettings.clear());

  it("are turned on and off for all charts, in their own order", async () => {
    const { panel } = await openPanel(new FakeClient());
    for (const study of ["rsi", "sma"]) panel.receive({ type: "showStudy", study, shown: true });
    await settle();
    const shown = ["sma", "volume", "rsi"];
    assert.deepEqual((await setupIn((await openPanel(new FakeClient())).panel)).studies.shown, shown);
    panel.receive({ type: "showStudy", study: "volume", shown: false });
    await settle();
    assert.deepEqual(userSettings.get(settingKeys.studies), ["sma", "rsi"]);
  });

  it("are sent to a page that was built before they changed, each time it is shown again", async () => {
    const { panel, posted } = await openPanel(new FakeClient());
    const ready = { type: "ready", interval: "1m", isFilled: false };
    const sent = (): number => posted.filter(({ type }) => type === "studies").length;
    assert.equal(sent(), 0, "the page has them");
    panel.setVisible(false);
    userSettings.set(settingKeys.studies, ["vwap"]);
    for (const count of [1, 2]) {
      panel.setVisible(true);
      panel.receive(ready);
      assert.equal(sent(), count);
      panel.setVisible(false);
    }
  });

  it("have the usual periods where the settings have none, or others than they can have", async () => {
    userSettings.set(settingKeys.studies, ["macd", "astrology", 7]);
    userSettings.set(settingKeys.studyPeriods, { sma: "5", ema: "0", macd: "26, 12, 9", rsi: 7 });
    const { panel } = await openPanel(new FakeClient());
    const { all, shown } = (await setupIn(panel)).studies;
    assert.deepEqual(shown, ["macd"]);
    assert.deepEqual(Object.fromEntries(all.map(({ id, parameters }) => [id, parameters])), {
      sma: [5],
      ema: [50],
      bollinger: [20, 2],
      vwap: [],
      volume: [],
      rsi: [14],
      macd: [12, 26, 9],
    });
  });
});
