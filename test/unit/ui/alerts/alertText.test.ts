import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { commandIds } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { alertFiring } from "../../../../src/desk/notifications/firing.ts";
import type { Alert, AlertRule } from "../../../../src/market/alertRule.ts";
import { SelectedLine } from "../../../../src/ui/selectedLine.ts";
import type { Ticket } from "../../../../src/ui/ticket/ticket.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { alertChannel } from "../../../support/fakes/alertChannel.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import {
  bringToFront,
  type HollowTree,
  loadUi,
  person,
  shownMessages,
  TreeItemCheckboxState,
  typed,
  WindowParts,
} from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { announce } = await loadUi(() => import("../../../../src/ui/alerts/announcement.ts"));
const { AlertsView } = await loadUi(() => import("../../../../src/ui/alerts/alertsView.ts"));
const { ActivePair } = await loadUi(() => import("../../../../src/ui/activePair.ts"));
const { firedText } = await loadUi(() => import("../../../../src/ui/alerts/alertText.ts"));
const { alertItem } = await loadUi(() => import("../../../../src/ui/alerts/alertItem.ts"));

const NOW = new Date(2026, 10, 22, 21, 7).getTime();
const alert = testAlert({ rule: { kind: "below", price: "3092897.93" } });
const ticker = tickerOf("THB_BTC", { last: 3_092_714.23 });

describe("the texts of an alert", () => {
  const textOf = (rule: AlertRule, at = NOW): string =>
    firedText(
      { ...alert, rule, fired: { armedAt: 1, at, price: 3_092_714.23, isSeen: false } },
      NOW,
      ticker,
      2,
    );

  it("say what happened, with the current price and the alert's price", () => {
    assert.equal(textOf(alert.rule), "BTC/THB fell to 3,092,714.23 THB (alert at 3,092,897.93).");
    assert.equal(
      textOf({ kind: "above", price: "3092000" }),
      "BTC/THB rose to 3,092,714.23 THB (alert at 3,092,000.00).",
    );
    assert.equal(
      textOf({ kind: "change", percent: "5", minutes: 15 }),
      "BTC/THB moved by 5% or more within 15 min, to 3,092,714.23 THB.",
    );
    assert.equal(
      textOf({ kind: "volume", volume: "1250.5", asset: "BTC" }),
      "BTC/THB: the 24 h volume reached 1,250.5 BTC, at a price of 3,092,714.23 THB.",
    );
  });

  it("group the price of an unlisted pair, without floating-point noise", () => {
    const gone = (price: number): string =>
      firedText({ ...alert, fired: { armedAt: 1, at: NOW, price, isSeen: false } }, NOW);
    assert.match(gone(3_092_714.5), /^BTC\/THB fell to 3,092,714\.50 \(/);
    assert.match(gone(0.1 + 0.2), /^BTC\/THB fell to 0\.3 \(/);
  });

  it("say when the alert fired if it is announced late because its window closed", () => {
    assert.match(
      textOf(alert.rule, NOW - 3_600_000),
      /\(alert at 3,092,897\.93\)\. This happened at 8:07\sPM\.$/,
    );
  });

  it("say that nothing watched the price when a candle showed it, however recent", () => {
    const fired = { armedAt: 1, at: NOW, price: 3_092_714.23, isSeen: false, isMissed: true };
    assert.match(
      firedText({ ...alert, fired }, NOW, ticker, 2),
      /\(alert at 3,092,897\.93\)\. This happened at 9:07\sPM, while no window watched the price\.$/,
    );
  });

  it("name pair, rule, and state unless the alert is simply on", () => {
    const row = (given: Partial<Alert>): string[] => {
      const { label, description } = alertItem({ ...alert, ...given }, undefined, NOW);
      return [String(label), String(description).replaceAll(/\s/g, " ")];
    };
    assert.deepEqual(row({}), ["BTC/THB", "falls to 3,092,897.93"]);
    for (const isOn of [true, false]) {
      const unlisted = alertItem({ ...alert, isOn }, undefined, NOW, false);
      assert.match(String(unlisted.description), /^not listed · falls to /);
      assert.match(String(unlisted.tooltip), /pair not listed, cannot fire/);
    }
    assert.deepEqual(row({ isOn: false }), ["BTC/THB", "falls to 3,092,897.93 · off"]);
    assert.deepEqual(row({ armedAt: NOW + 60_000 }), [
      "BTC/THB",
      "falls to 3,092,897.93 · snoozed until 9:08 PM",
    ]);
    const fired = { armedAt: 1, at: NOW, price: 1, isSeen: true };
    assert.deepEqual(row({ isOn: false, phase: "fired", fired }), [
      "BTC/THB",
      "falls to 3,092,897.93 · fired 9:07 PM",
    ]);
    assert.deepEqual(row({ phase: "waiting", repeats: true, fired }), [
      "BTC/THB",
      "falls to 3,092,897.93 · fired 9:07 PM, off until the price moves back",
    ]);
    const rule = { kind: "volume", volume: "5000", asset: "BTC" } as const;
    assert.deepEqual(row({ rule, phase: "waiting", repeats: true }), [
      "BTC/THB",
      "volume rises to 5K BTC · off until the volume falls back",
    ]);
  });

  it("shorten a rule in its row, and have it in full in the tooltip", () => {
    for (const [rule, short, full] of [
      [{ kind: "change", percent: "5", minutes: 15 }, "moves 5% in 15 min", "moves by 5% within 15 min"],
      [{ kind: "change", percent: "2.5", minutes: 1440 }, "moves 2.5% in 24 h", "moves by 2.5% within 24 h"],
      [
        { kind: "within", low: "3000000", high: "3100000" },
        "back in 3,000,000.00–3,100,000.00",
        "comes back between 3,000,000.00 and 3,100,000.00",
      ],
      [
        { kind: "volume", volume: "1250500000", asset: "THB" },
        "volume rises to 1.251B THB",
        "24 h volume rises to 1,250,500,000 THB",
      ],
    ] as const) {
      const { description, tooltip } = alertItem({ ...alert, rule }, undefined, NOW);
      assert.equal(description, short);
      assert.ok(String(tooltip).startsWith(`BTC/THB ${full}\n`), String(tooltip));
    }
  });

  it("cross out the bell of an alert that cannot fire, although it is on", () => {
    const iconOf = (given: Partial<Alert>, isListed = true): string =>
      (alertItem({ ...alert, ...given }, undefined, NOW, isListed).iconPath as { id: string }).id;
    assert.equal(iconOf({}), "bell");
    for (const given of [{ isOn: false }, { armedAt: NOW + 1 }, { phase: "waiting" }] as const)
      assert.equal(iconOf(given), "bell-slash");
    assert.equal(iconOf({}, false), "bell-slash");
  });
});

describe("an alert in the editor", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    shownMessages.length = 0;
  });
  afterEach(() => {
    person.choose = () => undefined;
  });

  async function parts(error: (line: string) => void = (line) => assert.fail(line)) {
    const client = new FakeClient();
    const timers = new FakeTimers(NOW);
    const opened: unknown[] = [];
    const bidForm = { open: (draft: unknown) => Promise.resolve(opened.push(draft)) } as unknown as Ticket;
    const ignore = (): void => undefined;
    const desk: Desk = await openTestDesk({
      client,
      timers,
      storage: folder,
      channels: [alertChannel((fired) => announce(fired, desk, bidForm))],
      log: { debug: ignore, info: ignore, warn: ignore, error },
    });
    return {
      desk,
      timers,
      opened,
      view: () =>
        new AlertsView(desk, { pickPair: () => undefined } as never, {
          activePair: new ActivePair(desk.tickers),
          selectedLine: new SelectedLine(),
        }),
      async show(last: number, symbol = "THB_BTC") {
        client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf(symbol, { last })));
        await desk.tickers.refresh();
        await settle();
      },
    };
  }

  it("offers a bid, a chart and a snooze when it fires", async () => {
    for (const [choice, done] of [
      ["Buy…", [{ side: "buy", symbol: "THB_BTC", rate: "111" }]],
      ["Open Chart", [commandIds.openChart]],
      ["Snooze 10 Minutes", []],
    ] as const) {
      rmSync(folder, { recursive: true, force: true });
      shownMessages.length = 0;
      person.choose = (offered) => offered.find((each) => each === choice);
      const { desk, show, opened } = await parts();
      const alerts = await desk.alerts();
      alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
      await show(111);
      const toast = shownMessages.find(({ how }) => how === "information");
      assert.equal(toast?.text, "BTC/THB rose to 111.00 THB (alert at 110.00).");
      assert.deepEqual(JSON.parse(toast?.more ?? ""), ["Buy…", "Open Chart", "Snooze 10 Minutes"]);
      const commands = shownMessages.filter(({ how }) => how === "command").map(({ text }) => text);
      assert.deepEqual([...opened, ...commands], done);
      assert.equal(alerts.list[0]?.isOn, choice === "Snooze 10 Minutes");
      desk.dispose();
    }
  });

  it("names the account if the window shows another one, and offers only a snooze", async () => {
    person.choose = (offered) => offered[0];
    const { desk, show, opened } = await parts();
    const account = desk.accounts.add({ label: "Savings", profile: {} });
    await show(100);
    const alert = testAlert({ venue: "live", origin: "https://api.example.com", account: account.id });
    desk.notifications.notify(
      alertFiring({ ...alert, fired: { armedAt: 0, at: NOW, price: 111, isSeen: false } }),
    );
    await settle();
    const toast = shownMessages.find(({ how }) => how === "information");
    assert.equal(toast?.text, "Savings: BTC/THB rose to 111.00 (alert at 110.00).");
    assert.deepEqual(JSON.parse(toast?.more ?? ""), ["Snooze 10 Minutes"]);
    assert.deepEqual(opened, []);
    desk.dispose();
  });

  it("says that it is not active if a snooze cannot be saved", async () => {
    person.choose = (offered) => offered.find((each) => each === "Snooze 10 Minutes");
    const logged: string[] = [];
    const { desk, show } = await parts((line) => void logged.push(line));
    const alerts = await desk.alerts();
    alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
    alerts.rearm = () => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    await show(111);
    const errors = await waitFor("the error", () => {
      const found = shownMessages.filter(({ how }) => how === "error").map(({ text }) => text);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(errors, [
      "The alert was not saved and is not active. Free some disk space, or allow Bidside to write to its folder.",
    ]);
    assert.deepEqual(logged, ["Alerts: ENOSPC: no space left on device, write"]);
    desk.dispose();
  });

  it("is read by the editor before it is selected, even within a second of its last prompt", async () => {
    const window = new WindowParts();
    bringToFront(window);
    const { desk, show, view: openView } = await parts();
    await show(100);
    const view = openView();
    await desk.alerts();
    const steps: unknown[] = [];
    view.onDidChangeTreeData((rows) => steps.push(rows ?? "all rows"));
    Object.assign(view.view, { reveal: (row: Alert) => Promise.resolve(steps.push(row.symbol)) });
    person.choose = (offered) => offered.find((each) => /rises|Once/.test(each));
    typed.push("110");
    const row = { symbol: "THB_BTC" };
    await window.commands.get(commandIds.addAlert)?.(row);
    assert.deepEqual(steps.slice(-2), ["all rows", "THB_BTC"]);
    view.dispose();
    desk.dispose();
  });

  it("says that it may still fire if turning it off cannot be saved", async () => {
    const { desk, view: openView } = await parts(() => undefined);
    const alerts = await desk.alerts();
    const alert = alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
    alerts.switch = () => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    shownMessages.length = 0;
    (openView().view as unknown as HollowTree).check([alert, TreeItemCheckboxState.Unchecked]);
    await waitFor("the error", () => shownMessages.some(({ how }) => how === "error"));
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "error").map(({ text }) => text),
      [
        "The alert was not turned off. It may still fire. Free some disk space, or allow Bidside to write to its folder.",
      ],
    );
    desk.dispose();
  });

  it("says that it does not fire at once if it is turned on beyond its level", async () => {
    const { desk, show, view: openView } = await parts();
    const alerts = await desk.alerts();
    const alert = alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
    await show(111);
    shownMessages.length = 0;
    const view = openView();
    (view.view as unknown as HollowTree).check([alert, TreeItemCheckboxState.Checked]);
    const text = await waitFor(
      "the message",
      () => shownMessages.find(({ how }) => how === "status bar")?.text,
    );
    assert.equal(
      text,
      "BTC/THB is already beyond this level. The alert fires when it has moved back and reaches the level again.",
    );
    const [row = assert.fail("no row")] = await view.getChildren();
    assert.match(
      String((await view.getTreeItem(row)).description),
      /^rises to 110\.00 · .*off until the price moves back$/,
    );
    view.dispose();
    desk.dispose();
  });

  it("says that its pair is not listed at once, when the exchange removes or renames the pair, and no longer when it is back", async () => {
    const { desk, show, view: openView } = await parts();
    await show(100);
    const alerts = await desk.alerts();
    alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
    const view = openView();
    await settle();
    const [row = assert.fail("no row")] = await view.getChildren();
    const painted: string[] = [];
    view.onDidChangeTreeData(() => painted.push(String(view.getTreeItem(row).description)));
    for (const symbol of ["THB_XBT", "THB_BTC"]) await show(100, symbol);
    assert.deepEqual(painted, ["not listed · rises to 110.00", "rises to 110.00"]);
    view.dispose();
    desk.dispose();
  });

  it("is on again in its row when its snooze is over, without any other event", async () => {
    const { desk, show, timers, view: openView } = await parts();
    await show(100);
    const alerts = await desk.alerts();
    const { id } = alerts.add("THB_BTC", { kind: "above", price: "110" }, false);
    alerts.rearm(id, 60_000);
    const view = openView();
    const [row = assert.fail("no row")] = await view.getChildren();
    const text = async (): Promise<string> => String((await view.getTreeItem(row)).description);
    const tree = view.view as unknown as HollowTree;
    assert.match(await text(), /^rises to 110\.00 · snoozed until /);
    tree.setVisible(true);
    const painted: unknown[] = [];
    view.onDidChangeTreeData((rows) => painted.push(rows));
    await timers.advance(50_000);
    assert.deepEqual(painted, []);
    await timers.advance(20_000);
    assert.deepEqual(painted, [[row]]);
    assert.equal(await text(), "rises to 110.00");
    view.dispose();
    desk.dispose();
  });
});
