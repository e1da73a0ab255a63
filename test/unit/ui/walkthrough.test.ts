import assert from "node:assert/strict";
import type { Memento } from "vscode";
import { commandIds } from "../../../src/contributions.ts";
import { newTestDesk } from "../../support/desks/testDesk.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import { tabGroups } from "../../support/fakes/tabs.ts";
import { bringToFront, HollowStore, loadUi, shownMessages, WindowParts } from "../../support/fakes/vscode.ts";
import { liveAccount } from "../../support/fakes/venue.ts";
import { practiceAccount } from "../../../src/market/account.ts";

const { registerCommands } = await loadUi(() => import("../../../src/ui/commands.ts"));
const { followWalkthrough } = await loadUi(() => import("../../../src/ui/walkthrough.ts"));

describe("the steps of the walkthrough", () => {
  const state = new HollowStore() as unknown as Memento;
  const isTrue = new Set<string>();

  /** The keys set to true since the last call; resets each to false. */
  async function ticked(): Promise<readonly string[]> {
    await settle();
    const keys = shownMessages.splice(0).flatMap(({ text, more }) => {
      if (text !== "setContext") return [];
      const [key, value] = JSON.parse(more) as [string, boolean];
      isTrue[value ? "add" : "delete"](key);
      return value ? key : [];
    });
    assert.deepEqual([...isTrue], []);
    return keys;
  }

  it("are ticked on first use, and again when the walkthrough opens, in this window or a later one", async () => {
    const parts = new WindowParts();
    bringToFront(parts);
    shownMessages.length = 0;
    registerCommands({
      previewChart: () => undefined,
      addAlert: () => undefined,
      newList: () => undefined,
      openPortfolio: () => undefined,
      refresh: () => undefined,
    });
    const timers = new FakeTimers();
    const desk = newTestDesk({ timers });
    let confirm: (() => void) | undefined;
    const onDidConfirm = (listener: unknown) => {
      confirm = listener as () => void;
      return () => undefined;
    };
    const { tickers, venue } = desk;
    const first = followWalkthrough(state, { tickers, timers, venue, onDidConfirm });
    parts.commands.get(commandIds.refresh)?.();
    assert.deepEqual(await ticked(), []);
    parts.commands.get(commandIds.previewChart)?.();
    parts.commands.get(commandIds.previewChart)?.();
    assert.deepEqual(await ticked(), ["bidside.hasOpenedChart"]);
    parts.commands.get(commandIds.addAlert)?.();
    assert.deepEqual(await ticked(), ["bidside.hasAddedAlert"]);
    parts.commands.get(commandIds.newList)?.();
    assert.deepEqual(await ticked(), ["bidside.hasMadeList"]);
    parts.commands.get(commandIds.openPortfolio)?.();
    assert.deepEqual(await ticked(), ["bidside.hasSeenPortfolio"]);
    confirm?.();
    assert.deepEqual(await ticked(), ["bidside.hasTraded"]);
    first.dispose();
    const later = followWalkthrough(state, desk);
    await timers.advance(10_000);
    assert.deepEqual(await ticked(), []);
    tabGroups.openUndescribed();
    await timers.advance(3000);
    assert.deepEqual(await ticked(), [
      "bidside.hasOpenedChart",
      "bidside.hasAddedAlert",
      "bidside.hasMadeList",
      "bidside.hasSeenPortfolio",
      "bidside.hasTraded",
    ]);
    later.dispose();
    desk.dispose();
  });

  it("keep Connect Your Exchange ticked after the user has gone back to practice", async () => {
    bringToFront(new WindowParts());
    shownMessages.length = 0;
    const timers = new FakeTimers();
    const desk = newTestDesk({ timers });
    await desk.venue.select(liveAccount);
    const memory = new HollowStore() as unknown as Memento;
    const first = followWalkthrough(memory, desk);
    assert.deepEqual(await ticked(), ["bidside.hasGoneLive"]);
    await desk.venue.select(practiceAccount);
    first.dispose();
    const later = followWalkthrough(memory, desk);
    tabGroups.openUndescribed();
    await timers.advance(3000);
    assert.ok((await ticked()).includes("bidside.hasGoneLive"));
    later.dispose();
    desk.dispose();
  });
});
