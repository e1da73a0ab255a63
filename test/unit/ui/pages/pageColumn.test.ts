import assert from "node:assert/strict";
import type { TabGroup } from "vscode";
import { panelTypes } from "../../../../src/contributions.ts";
import { tabGroups, TabInputWebview } from "../../../support/fakes/tabs.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const BESIDE = -2;
const ACTIVE = -1;

describe("the column in which a page opens", () => {
  const none = tabGroups.all;
  afterEach(() => {
    tabGroups.all = none;
  });

  /** Opens groups of tabs, each with its last tab in front; the first group is the active group. */
  function open(...groups: (keyof typeof panelTypes | "file")[][]): void {
    tabGroups.all = groups.map((names, index) => {
      const tabs = names.map((name) => ({
        input: name === "file" ? undefined : new TabInputWebview(`mainThreadWebview-${panelTypes[name]}`),
      }));
      return { viewColumn: index + 1, isActive: index === 0, tabs, activeTab: tabs.at(-1) };
    }) as unknown as readonly TabGroup[];
  }

  async function columnFor(name: keyof typeof panelTypes): Promise<number> {
    const page = await loadUi(() => import("../../../../src/ui/pages/pageColumn.ts"));
    return page.columnFor(panelTypes[name]);
  }

  it("is beside the ticket for a chart, and beside the chart for a ticket", async () => {
    open(["file", "bidForm"]);
    assert.equal(await columnFor("chart"), BESIDE);
    open(["chart"]);
    assert.equal(await columnFor("bidForm"), BESIDE);
  });

  it("is an existing group, and no third group", async () => {
    open(["bidForm"], ["file"]);
    assert.equal(await columnFor("chart"), 2);
  });

  it("is the column of other charts, unless they are behind the ticket", async () => {
    open(["file"], ["chart", "chart"]);
    assert.equal(await columnFor("chart"), 2);
    open(["chart", "bidForm"]);
    assert.equal(await columnFor("chart"), BESIDE);
  });

  it("is the column of the code if no page of Bidside is open", async () => {
    open(["file"]);
    assert.equal(await columnFor("chart"), ACTIVE);
    open(["file"], ["bidForm"]);
    assert.equal(await columnFor("chart"), ACTIVE);
  });
});
