import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { loadUi, userSettings } from "../../../support/fakes/vscode.ts";

const { systemHourCycle } = await loadUi(() => import("../../../../src/ui/text/hourCycle.ts"));
const { timeText } = await loadUi(() => import("../../../../src/ui/text/timeText.ts"));

describe("times of day", () => {
  afterEach(() => userSettings.clear());

  it("follow the region of the system, not the language of the editor", () => {
    const cycles = ["en_US.UTF-8", "th_TH.UTF-8", "en_GB", "de-DE", "C.UTF-8", "POSIX", "en", ""].map(
      (LANG) => systemHourCycle({ LANG }, ""),
    );
    assert.deepEqual(cycles, ["h12", "h23", "h23", "h23", "h23", "h23", "h23", "h23"]);
    assert.equal(systemHourCycle({ LANG: "en_US.UTF-8", LC_TIME: "th_TH.UTF-8" }, ""), "h23");
    assert.equal(systemHourCycle({}, "en-US"), "h12");
  });

  it("follow the setting", () => {
    const evening = new Date(2026, 10, 22, 21, 5, 9).getTime();
    const shown = (format: string): string => {
      userSettings.set(settingKeys.timeFormat, format);
      return timeText(evening).replaceAll("\u202f", " ");
    };
    assert.equal(shown("24-hour"), "21:05:09");
    assert.equal(shown("12-hour"), "9:05:09 PM");
  });
});
