import assert from "node:assert/strict";
import type { Alerts } from "../../../../src/desk/alerts/alerts.ts";
import type { Alert, AlertRule } from "../../../../src/market/alertRule.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { AlertRequest } from "../../../../src/ui/alerts/alertPrompt.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { HollowPick } from "../../../support/fakes/person.ts";
import { loadUi, person, shownMessages, typed, window } from "../../../support/fakes/vscode.ts";

const { addAlert, editAlert } = await loadUi(() => import("../../../../src/ui/alerts/alertPrompt.ts"));

/** The part of a desk that the questions need, with a market of one pair. */
const deskWith = (ticker: Ticker, error = (_line: string): void => undefined) => ({
  tickers: {
    ticker: (symbol: string) => (symbol === ticker.symbol ? ticker : undefined),
    placesOf: () => 2,
  },
  venue: { signedIn: undefined },
  orders: { trades: undefined },
  elsewhere: { list: [] },
  log: { error },
});

interface Shown {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

const shownIn = ({ items }: HollowPick): readonly Shown[] => items;

/** The entries of each list shown, one text each. */
const lists = (): string[][] =>
  shownMessages
    .filter(({ how }) => how === "choices")
    .map(({ more }) =>
      (JSON.parse(more) as Shown[]).map((each) => [each.label, each.description].join(" ").trim()),
    );

/** Runs the command on a pair at 100 with a user's text and choice; returns what was shown, and the result. */
async function ask(request: AlertRequest, text: string, choice = "Once") {
  const ticker = tickerOf("THB_BTC", { last: 100 });
  const added: [AlertRule, boolean][] = [];
  const titles: string[] = [];
  shownMessages.length = 0;
  typed.splice(0, typed.length, text);
  person.choose = (offered) => offered.find((label) => label === choice);
  const add = (_symbol: string, rule: AlertRule, repeats: boolean) => void added.push([rule, repeats]);
  const alerts = { add } as unknown as Alerts;
  const pickPair = (title: string): Promise<Ticker> => {
    titles.push(title);
    return Promise.resolve(ticker);
  };
  await addAlert(deskWith(ticker), alerts, { pickPair }, request);
  person.choose = () => undefined;
  return { added, titles, offered: lists() };
}

/** The open box of a pair at 100, for a test that acts on it itself. */
async function openBox() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const added: AlertRule[] = [];
  const pick = new HollowPick();
  const { createQuickPick } = window;
  Object.assign(window, { createQuickPick: () => pick });
  Object.assign(pick, { show: () => resolve() });
  const alerts = { add: (_symbol: string, rule: AlertRule) => void added.push(rule) } as unknown as Alerts;
  const desk = deskWith(tickerOf("THB_BTC", { last: 100 }));
  const adding = addAlert(desk, alerts, { pickPair: () => assert.fail() }, { symbol: "THB_BTC" });
  await promise;
  Object.assign(window, { createQuickPick });
  return { added, adding, pick };
}

const RISES = { kind: "above", price: "110" } as const;

describe("adding an alert", () => {
  it("is one box: the typed price offers an alert once, every time or for both directions, with its distance from the last price", async () => {
    const { added, offered } = await ask({ symbol: "THB_BTC" }, "110");
    assert.deepEqual(offered, [
      [
        "Once rises to 110.00 (+10.00%)",
        "Every time rises to 110.00 (+10.00%)",
        "Every crossing crosses 110.00 (+10.00%)",
      ],
    ]);
    assert.deepEqual(added, [[RISES, false]]);
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "110", "Every time")).added, [[RISES, true]]);
    const crosses = { kind: "crosses", price: "110", towards: "above" };
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "110", "Every crossing")).added, [[crosses, true]]);
  });

  it("offers a move for a percentage", async () => {
    const { added, offered } = await ask({ symbol: "THB_BTC" }, "5%");
    assert.deepEqual(offered, [["Once moves by 5% within 15 min", "Every time moves by 5% within 15 min"]]);
    assert.deepEqual(added, [[{ kind: "change", percent: "5", minutes: 15 }, false]]);
  });

  it("offers a volume of the last 24 hours, with its distance from the current one", async () => {
    const { added, offered } = await ask({ symbol: "THB_BTC" }, "volume 1,250.5");
    assert.deepEqual(offered, [
      [
        "Once 24 h volume rises to 1,250.5 BTC (+25.05%)",
        "Every time 24 h volume rises to 1,250.5 BTC (+25.05%)",
      ],
    ]);
    assert.deepEqual(added, [[{ kind: "volume", volume: "1250.5", asset: "BTC" }, false]]);
    const reached = "$(error) The 24 h volume is already there: 1K BTC, 100K THB.";
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "volume 500", reached)).offered, [[reached]]);
  });

  it("reads grouped prices of other notations, and offers each meaning of an ambiguous one", async () => {
    const { added } = await ask({ symbol: "THB_BTC" }, "3.200.000,50");
    assert.deepEqual(added, [[{ kind: "above", price: "3200000.50" }, false]]);
    const { offered } = await ask({ symbol: "THB_BTC" }, "5,000");
    assert.deepEqual(
      offered[0]?.filter((each) => each.startsWith("Once")),
      ["Once rises to 5,000.00 (+4,900.00%)", "Once falls to 5.00 (-95.00%)"],
    );
  });

  it("takes a price with its currency, and refuses another one", async () => {
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "฿3.2m")).added, [
      [{ kind: "above", price: "3200000" }, false],
    ]);
    const problem = "$(error) Leave out letters and currency signs. Use digits, such as 1000 or 0.25.";
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "500 USD", problem)).added, []);
  });

  it("says what is wrong with a text, and saves nothing", async () => {
    const problem = "$(error) This is the last price, 100.00.";
    const { offered, added } = await ask({ symbol: "THB_BTC" }, "100", problem);
    assert.deepEqual([offered, added], [[[problem]], []]);
  });

  it("offers a percentage as a distance from the average cost too, if that is known", async () => {
    const average = { held: new Decimal("2"), cost: new Decimal("160") };
    const desk = {
      ...deskWith(tickerOf("THB_BTC", { last: 100 })),
      venue: { signedIn: { account: "me" } },
      orders: { trades: { get: () => ({ average, trades: [] }) } },
    };
    shownMessages.length = 0;
    typed.splice(0, typed.length, "-10%");
    await addAlert(desk as never, {} as Alerts, { pickPair: () => assert.fail() }, { symbol: "THB_BTC" });
    assert.deepEqual(lists()[0]?.slice(0, 4), [
      "Once moves by 10% within 15 min",
      "Every time moves by 10% within 15 min",
      "Once falls to 72.00 (-28.00%) below your average cost of 80.00",
      "Every time falls to 72.00 (-28.00%) below your average cost of 80.00",
    ]);
    const list = [heldElsewhere({ quantity: "3", cost: ["THB", "180"] })];
    shownMessages.length = 0;
    typed.splice(0, typed.length, "-10%");
    const watching = { ...desk, venue: { signedIn: undefined }, elsewhere: { list } };
    await addAlert(watching as never, {} as Alerts, { pickPair: () => assert.fail() }, { symbol: "THB_BTC" });
    assert.equal(lists()[0]?.[2], "Once falls to 54.00 (-46.00%) below your average cost of 60.00");
  });

  it("saves what the text says, even if the editor still shows the entries of an earlier one", async () => {
    const { added, adding, pick } = await openBox();
    pick.type("11");
    pick.selectedItems = pick.items.slice(0, 1);
    pick.value = "110";
    pick.accept();
    await adding;
    assert.deepEqual(added, [RISES]);
  });

  it("adds an alert at a chart's price without a prompt, from the side of the last price", async () => {
    const above = await ask({ symbol: "THB_BTC", price: "100.5" }, "1");
    assert.deepEqual([above.offered, above.added], [[], [[{ kind: "above", price: "100.5" }, false]]]);
    const below = await ask({ symbol: "THB_BTC", price: "99" }, "1");
    assert.deepEqual([below.offered, below.added], [[], [[{ kind: "below", price: "99" }, false]]]);
  });

  it("ignores a chart's price that is the last price or invalid", async () => {
    for (const price of ["100", "1e2", "0"]) {
      const { added } = await ask({ symbol: "THB_BTC", price }, "90");
      assert.deepEqual(added, [[{ kind: "below", price: "90" }, false]]);
    }
  });

  it("shows a text for each kind of rule, which a choice types, until one is typed", async () => {
    const { added, adding, pick } = await openBox();
    const shown = (): string[] => pick.items.map(({ label }) => label);
    const examples = shown().slice(0, -1);
    assert.deepEqual(examples, ["110", "100 +5%", "-5%", "100 - 110", "volume 10m THB"]);
    const rules: (string | undefined)[] = [];
    for (const [index] of examples.entries()) {
      pick.type("");
      pick.selectedItems = pick.items.slice(index, index + 1);
      pick.accept();
      assert.equal(pick.value, examples[index]);
      assert.deepEqual(shown().slice(0, 2), ["Once", "Every time"]);
      rules.push(shownIn(pick)[0]?.description);
    }
    assert.deepEqual(rules, [
      "rises to 110.00 (+10.00%)",
      "rises to 105.00 (+5.00%)",
      "moves by 5% within 15 min",
      "comes back between 100.00 and 110.00",
      "24 h volume rises to 10,000,000 THB (+9,900.00%)",
    ]);
    assert.deepEqual(added, []);
    pick.selectedItems = pick.items.slice(0, 1);
    pick.accept();
    await adding;
    assert.equal(added.length, 1);
  });

  it("says that alerts need an open window, in the box and after a click in a chart", async () => {
    const { adding, pick } = await openBox();
    const last = shownIn(pick).at(-1);
    assert.deepEqual(
      [last?.label, last?.detail],
      [
        "$(info) Alerts fire only while a VS Code window is open.",
        "Missed alerts fire at the next start, if candles show them.",
      ],
    );
    pick.hide();
    await adding;
    shownMessages.length = 0;
    await addAlert(
      deskWith(tickerOf("THB_BTC", { last: 100 })),
      { add: () => testAlert() } as unknown as Alerts,
      { pickPair: () => Promise.resolve(undefined) },
      { symbol: "THB_BTC", price: "110" },
    );
    assert.deepEqual(
      shownMessages.map(({ text }) => text),
      ["Alert added: BTC/THB rises to 110.00, once. Alerts fire only while a VS Code window is open."],
    );
  });

  it("reports in plain words that an alert could not be saved, and logs the disk's error", async () => {
    const ticker = tickerOf("THB_BTC", { last: 100 });
    const logged: string[] = [];
    shownMessages.length = 0;
    typed.splice(0, typed.length, "110");
    person.choose = (offered) => offered.find((label) => label === "Once");
    const refuse = (): never => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    const added = await addAlert(
      deskWith(ticker, (line) => void logged.push(line)),
      { add: refuse } as unknown as Alerts,
      { pickPair: () => Promise.resolve(ticker) },
      { symbol: "THB_BTC" },
    );
    person.choose = () => undefined;
    assert.equal(added, undefined);
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "error").map(({ text }) => text),
      [
        "The alert was not saved and is not active. Free some disk space, or allow Bidside to write to its folder.",
      ],
    );
    assert.deepEqual(logged, ["Alerts: ENOSPC: no space left on device, write"]);
  });

  it("asks for the pair if no pair is given", async () => {
    const { titles, added } = await ask({}, "110");
    assert.deepEqual([titles, added.length], [["Add Alert"], 1]);
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, "110")).titles, []);
  });
});

describe("editing an alert", () => {
  const alert = testAlert({ rule: { kind: "below", price: "90" }, repeats: true });

  /** Edits an alert as a user who takes every first choice, and types these texts. */
  async function edit(given: Alert, ...texts: readonly string[]) {
    const ticker = tickerOf("THB_BTC", { last: 100 });
    const edited: unknown[] = [];
    shownMessages.length = 0;
    typed.splice(0, typed.length, ...texts);
    person.choose = ([first]) => first;
    const alerts = {
      edit: (...all: unknown[]) => {
        edited.push(all);
        return given;
      },
    } as unknown as Alerts;
    const result = await editAlert(deskWith(ticker), alerts, given);
    person.choose = () => undefined;
    return { edited, result, offered: lists() };
  }

  it("shows the same box with the alert's current rule first, and keeps its id", async () => {
    const kept = await edit(alert);
    assert.deepEqual(kept.offered, [
      [
        "Every time falls to 90.00 (-10.00%)",
        "Once falls to 90.00 (-10.00%)",
        "Every crossing crosses 90.00 (-10.00%)",
      ],
    ]);
    assert.deepEqual(kept.edited, [[alert.id, alert.rule, true]]);
    assert.equal(kept.result, alert);
    const { edited } = await edit(alert, "85.5");
    assert.deepEqual(edited, [[alert.id, { kind: "below", price: "85.5" }, true]]);
  });

  it("starts a change alert from its own percentage and minutes", async () => {
    const rule = { kind: "change", percent: "2.5", minutes: 30 } as const;
    const { offered, edited } = await edit({ ...alert, rule, repeats: false });
    assert.equal(offered[0]?.[0], "Once moves by 2.5% within 30 min");
    assert.deepEqual(edited, [[alert.id, rule, false]]);
  });

  it("says that a change was not saved; the alert stays as it was", async () => {
    const ticker = tickerOf("THB_BTC", { last: 100 });
    shownMessages.length = 0;
    typed.splice(0, typed.length, "85.5");
    person.choose = ([first]) => first;
    const refuse = (): never => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    await editAlert(deskWith(ticker), { edit: refuse } as unknown as Alerts, alert);
    person.choose = () => undefined;
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "error").map(({ text }) => text),
      ["The change was not saved. Free some disk space, or allow Bidside to write to its folder."],
    );
  });

  it("says that an alert of a pair without a price cannot be edited now", async () => {
    const { edited } = await edit({ ...alert, symbol: "THB_GONE" });
    assert.deepEqual(edited, []);
    assert.match(shownMessages[0]?.text ?? "", /^THB_GONE has no price at the moment/);
  });
});
