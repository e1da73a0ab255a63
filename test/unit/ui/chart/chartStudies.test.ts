import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { settingKeys } from "../../../../src/contributions.ts";
import type { ChartSetup } from "../../../../src/protocol/chart.ts";
import { settle } from "../../../support/fakes/timers.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import {
  type HollowPanel,
  loadUi,
  person,
  shownMessages,
  typed,
  userSettings,
} from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { eachTestOpensCharts } from "../../../support/pages/openChartPanel.ts";

const { editPeriods } = await loadUi(() => import("../../../../src/ui/chart/studyPeriods.ts"));

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

describe("typed periods of a study", () => {
  afterEach(() => {
    userSettings.clear();
    typed.length = 0;
    person.choose = () => undefined;
  });

  it("say how they were read if they are written in another way", async () => {
    for (const [text, message] of [
      ["๑๐ ２.５", "Read as 10, 2.5."],
      ["10, 2.5", undefined],
    ] as const) {
      person.choose = () => "Bollinger";
      shownMessages.length = 0;
      typed.push(text);
      await editPeriods();
      const notes = shownMessages.filter(({ how }) => how === "input note");
      assert.deepEqual(
        notes.map(({ text: note }) => note),
        message === undefined ? [] : [message],
      );
      assert.deepEqual(userSettings.get(settingKeys.studyPeriods), { bollinger: "10, 2.5" });
    }
  });
});

describe("the picture of a chart", () => {
  const { openPanel, folder } = eachTestOpensCharts();
  afterEach(() => (person.file = undefined));

  it("is written to the file that the user picks", async () => {
    const { panel } = await openPanel(new FakeClient());
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
    person.file = join(folder().directory, "chart.png");
    mkdirSync(dirname(person.file), { recursive: true });
    panel.receive({ type: "picture", png: png.toString("base64") });
    const file = person.file;
    const written = await waitFor("the file", async () => {
      const bytes = await readFile(file).catch(() => undefined);
      return bytes?.length === png.length ? bytes : undefined;
    });
    assert.deepEqual(written, png);
  });

  it("is in the clipboard if the editor allows it, else the user learns of the file", async () => {
    const { panel } = await openPanel(new FakeClient());
    shownMessages.length = 0;
    for (const isCopied of [true, false]) panel.receive({ type: "pictureCopied", isCopied });
    assert.deepEqual(
      shownMessages.map(({ text }) => text),
      [
        "The picture was copied.",
        "The picture was not copied, because this editor does not allow it. Use Save Picture… instead.",
      ],
    );
  });
});
