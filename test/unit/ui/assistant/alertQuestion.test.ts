import assert from "node:assert/strict";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { confirmAlert } = await loadUi(() => import("../../../../src/ui/assistant/alertQuestion.ts"));

describe("the confirmation of an assistant's alert", () => {
  const suggestion = {
    ticker: tickerOf("THB_BTC"),
    rule: { kind: "above", price: "3100000" },
    repeats: true,
  } as const;

  afterEach(() => (person.choose = () => undefined));

  it("is a dialog that describes the alert and says an assistant suggests it", async () => {
    shownMessages.length = 0;
    person.choose = ([first]) => first;
    assert.equal(await confirmAlert(suggestion), true);
    const [dialog] = shownMessages;
    assert.equal(dialog?.text, "Add an alert for BTC/THB?");
    const [{ modal, detail }, button] = JSON.parse(dialog?.more ?? "") as [
      { readonly modal: boolean; readonly detail: string },
      string,
    ];
    assert.deepEqual([modal, button], [true, "Add Alert"]);
    assert.equal(
      detail,
      "An assistant suggests: BTC/THB rises to 3,100,000.00.\nThe alert turns on again when the price moves back.\nAlerts fire only while a VS Code window is open.",
    );
  });

  it("counts as no when closed", async () => {
    assert.equal(await confirmAlert(suggestion), false);
  });
});
