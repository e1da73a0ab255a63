import assert from "node:assert/strict";
import type { Alerts } from "../../../../src/desk/alerts/alerts.ts";
import type { Alert, AlertRule } from "../../../../src/market/alertRule.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { AlertRequest } from "../../../../src/ui/alerts/alertPrompt.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages, typed } from "../../../support/fakes/vscode.ts";

const { addAlert, editAlert } = await loadUi(() => import("../../../../src/ui/alerts/alertPrompt.ts"));

const RISES = "$(arrow-up) When the price rises to…";
const FALLS = "$(arrow-down) When the price falls to…";
const MOVES = "$(arrow-both) When the price moves by a percentage…";

/** The part of a desk that the questions need, with a market of one pair. */
const deskWith = (ticker: Ticker, error = (_line: string): void => undefined) => ({
  tickers: {
    ticker: (symbol: string) => (symbol === ticker.symbol ? ticker : undefined),
    placesOf: () => 2,
  },
  log: { error },
});

/** Runs the command on a pair at 100 with a user's choices and texts; returns questions and result. */
async function ask(request: AlertRequest, choice: string, text: string) {
  const ticker = tickerOf("THB_BTC", { last: 100 });
  const added: AlertRule[] = [];
  const titles: string[] = [];
  shownMessages.length = 0;
  typed.splice(0, typed.length, text);
  person.choose = (offered) => offered.find((label) => label === choice || label === "Once");
  const alerts = { add: (_symbol: string, rule: AlertRule) => void added.push(rule) } as unknown as Alerts;
  const pickPair = (title: string): Promise<Ticker> => {
    titles.push(title);
    return Promise.resolve(ticker);
  };
  await addAlert(deskWith(ticker), alerts, { pickPair }, request);
  person.choose = () => undefined;
  const box = shownMessages.find(({ how }) => how === "input box");
  return {
    added,
    titles,
    offered: shownMessages.find(({ how }) => how === "choices")?.text.split("\n"),
    box: JSON.parse(box?.more ?? "{}") as { value?: string; placeholder?: string },
    problem: shownMessages.find(({ how }) => how === "input problem")?.text,
  };
}

describe("adding an alert", () => {
  it("reads grouped prices of other notations, and of the editor's language if there are two meanings", async () => {
    const { added } = await ask({ symbol: "THB_BTC" }, RISES, "3.200.000,50");
    assert.deepEqual(added, [{ kind: "above", price: "3200000.50" }]);
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, RISES, "5,000")).added, [
      { kind: "above", price: "5000" },
    ]);
  });

  it("shows what it understood before Enter, and refuses another currency", async () => {
    const { added } = await ask({ symbol: "THB_BTC" }, RISES, "฿3.2m");
    assert.deepEqual(added, [{ kind: "above", price: "3200000" }]);
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "input note").map(({ text }) => text),
      ["Read as 3,200,000 THB."],
    );
    await ask({ symbol: "THB_BTC" }, RISES, "110");
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "input note"),
      [],
    );
    const { problem } = await ask({ symbol: "THB_BTC" }, RISES, "500 USD");
    assert.equal(problem, "Leave out letters and currency signs. Use digits, such as 1000 or 0.25.");
  });

  it("starts with an empty price, because an alert at the last price would fire immediately", async () => {
    const { offered, box, added } = await ask({ symbol: "THB_BTC" }, RISES, "110");
    assert.deepEqual(offered, [RISES, FALLS, MOVES]);
    assert.deepEqual([box.value, box.placeholder], ["", "100"]);
    assert.deepEqual(added, [{ kind: "above", price: "110" }]);
  });

  it("adds an alert at a chart's price without a prompt, from the side of the last price", async () => {
    const above = await ask({ symbol: "THB_BTC", price: "100.5" }, RISES, "1");
    assert.deepEqual([above.offered, above.added], [undefined, [{ kind: "above", price: "100.5" }]]);
    const below = await ask({ symbol: "THB_BTC", price: "99" }, FALLS, "1");
    assert.deepEqual([below.offered, below.added], [undefined, [{ kind: "below", price: "99" }]]);
  });

  it("ignores a chart's price that is the last price or invalid", async () => {
    for (const price of ["100", "1e2", "0"]) {
      const { offered, box } = await ask({ symbol: "THB_BTC", price }, FALLS, "90");
      assert.deepEqual([offered, box.value], [[RISES, FALLS, MOVES], ""]);
    }
  });

  it("says on which side of the last price the price must be", async () => {
    assert.equal(
      (await ask({ symbol: "THB_BTC" }, RISES, "99")).problem,
      "Must be above the last price, 100.00.",
    );
    const { problem, added } = await ask({ symbol: "THB_BTC" }, FALLS, "101");
    assert.equal(problem, "Must be below the last price, 100.00.");
    assert.deepEqual(added, []);
  });

  it("says that alerts need an open window, in the prompts and after a click in a chart", async () => {
    await ask({ symbol: "THB_BTC" }, RISES, "110");
    const placeholders = shownMessages.flatMap(({ placeholder }) => placeholder ?? []);
    assert.equal(placeholders.at(-1), "How often? Alerts fire only while a VS Code window is open.");
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
    person.choose = (offered) => offered.find((label) => label === RISES || label === "Once");
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
    const { titles, added } = await ask({}, RISES, "110");
    assert.deepEqual([titles, added.length], [["Add Alert"], 1]);
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, RISES, "110")).titles, []);
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
    const boxes = shownMessages.filter(({ how }) => how === "input box");
    return {
      edited,
      result,
      boxes: boxes.map(({ more }) => JSON.parse(more) as { value: string; title: string }),
    };
  }

  it("shows the same prompts with the alert's current values, and keeps its id", async () => {
    const { edited, result, boxes } = await edit(alert, "85.5");
    assert.deepEqual(edited, [[alert.id, { kind: "below", price: "85.5" }, true]]);
    assert.equal(result, alert);
    assert.deepEqual(
      boxes.map(({ value, title }) => [value, title]),
      [["90", "Edit Alert: BTC/THB"]],
    );
    const choices = shownMessages.filter(({ how }) => how === "choices").map(({ text }) => text.split("\n"));
    assert.deepEqual(choices, [
      [FALLS, RISES, MOVES],
      ["Every time", "Once"],
    ]);
  });

  it("starts a change alert from its own percentage and minutes", async () => {
    const rule = { kind: "change", percent: "2.5", minutes: 30 } as const;
    const { edited, boxes } = await edit({ ...alert, rule, repeats: false }, "3", "45");
    assert.deepEqual(edited, [[alert.id, { kind: "change", percent: "3", minutes: 45 }, false]]);
    assert.deepEqual(
      boxes.map(({ value }) => value),
      ["2.5", "30"],
    );
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
