import assert from "node:assert/strict";
import type { Memento } from "vscode";
import { commandIds } from "../../../src/contributions.ts";
import { bringToFront, HollowStore, loadUi, said, WindowParts } from "../../support/fakes/vscode.ts";

const { registerCommands } = await loadUi(() => import("../../../src/ui/commands.ts"));
const { followWalkthrough } = await loadUi(() => import("../../../src/ui/walkthrough.ts"));

describe("the steps of the walkthrough", () => {
  const state = new HollowStore() as unknown as Memento;
  const ticked = (): string[] =>
    said.filter(({ text }) => text === "setContext").map(({ more }) => String(JSON.parse(more)[0]));

  it("are completed by first use, even in a later window before the walkthrough is opened", () => {
    const parts = new WindowParts();
    bringToFront(parts);
    said.length = 0;
    registerCommands({
      glanceAtChart: () => undefined,
      addAlert: () => undefined,
      refresh: () => undefined,
    });
    const first = followWalkthrough(state);
    parts.commands.get(commandIds.refresh)?.();
    assert.deepEqual(ticked(), []);
    parts.commands.get(commandIds.glanceAtChart)?.();
    parts.commands.get(commandIds.glanceAtChart)?.();
    assert.deepEqual(ticked(), ["bidside.hasOpenedChart"]);
    parts.commands.get(commandIds.addAlert)?.();
    assert.deepEqual(ticked(), ["bidside.hasOpenedChart", "bidside.hasAddedAlert"]);
    first.dispose();
    said.length = 0;
    followWalkthrough(state).dispose();
    assert.deepEqual(ticked(), ["bidside.hasOpenedChart", "bidside.hasAddedAlert"]);
  });
});
