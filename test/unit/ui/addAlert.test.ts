import assert from "node:assert/strict";
import type { Alerts } from "../../../src/desk/alerts.ts";
import type { TickerFeed } from "../../../src/desk/tickerFeed.ts";
import type { AlertRule } from "../../../src/market/alert.ts";
import type { AlertWish } from "../../../src/ui/addAlert.ts";
import { tickerOf } from "../../support/fakeVenue.ts";
import { loadUi, person, said, typed } from "../../support/hollowEditor.ts";

const { addAlert } = await loadUi(() => import("../../../src/ui/addAlert.ts"));

const RISES = "$(arrow-up) When the price rises to…";
const FALLS = "$(arrow-down) When the price falls to…";
const MOVES = "$(arrow-both) When the price moves by a percentage…";

/** Runs the command on a pair at 100 for a person who chooses and types these; gives what was asked, and what came of it. */
async function ask(wish: AlertWish, choice: string, text: string) {
  const ticker = tickerOf("THB_BTC", { last: 100 });
  const added: AlertRule[] = [];
  const titles: string[] = [];
  said.length = 0;
  typed.splice(0, typed.length, text);
  person.choose = (offered) => offered.find((label) => label === choice || label === "Once");
  const parts = {
    alerts: { add: (_symbol: string, rule: AlertRule) => void added.push(rule) } as unknown as Alerts,
    tickers: { ticker: () => ticker } as unknown as TickerFeed,
    pickPair: (title: string) => {
      titles.push(title);
      return Promise.resolve(ticker);
    },
  };
  await addAlert(parts, wish);
  person.choose = () => undefined;
  const box = said.find(({ how }) => how === "input box");
  return {
    added,
    titles,
    offered: said.find(({ how }) => how === "choices")?.text.split("\n"),
    box: JSON.parse(box?.more ?? "{}") as { value?: string; placeHolder?: string },
    problem: said.find(({ how }) => how === "input problem")?.text,
  };
}

describe("asking for an alert", () => {
  it("opens the price empty, with the last one to go by: an alert on that would have come already", async () => {
    const { offered, box, added } = await ask({ symbol: "THB_BTC" }, RISES, "110");
    assert.deepEqual(offered, [RISES, FALLS, MOVES]);
    assert.deepEqual([box.value, box.placeHolder], ["", "100"]);
    assert.deepEqual(added, [{ kind: "above", price: "110" }]);
  });

  it("offers for a price pointed at the one direction that it lies in", async () => {
    const above = await ask({ symbol: "THB_BTC", price: "100.5" }, RISES, "100.5");
    assert.deepEqual([above.offered, above.box.value], [[RISES, MOVES], "100.5"]);
    assert.deepEqual(above.added, [{ kind: "above", price: "100.5" }]);
    const below = await ask({ symbol: "THB_BTC", price: "99" }, FALLS, "99");
    assert.deepEqual([below.offered, below.box.value], [[FALLS, MOVES], "99"]);
  });

  it("takes no price from whoever points at the last one, or at none", async () => {
    for (const price of ["100", "1e2", "0"]) {
      const { offered, box } = await ask({ symbol: "THB_BTC", price }, FALLS, "90");
      assert.deepEqual([offered, box.value], [[RISES, FALLS, MOVES], ""]);
    }
  });

  it("says where a price would lie that is still to come", async () => {
    const { problem, added } = await ask({ symbol: "THB_BTC" }, FALLS, "101");
    assert.equal(
      problem,
      "The last price is already there. For a rise choose a higher price, for a fall a lower one.",
    );
    assert.deepEqual(added, []);
  });

  it("asks for the pair where none is given", async () => {
    const { titles, added } = await ask({}, RISES, "110");
    assert.deepEqual([titles, added.length], [["Alert Me"], 1]);
    assert.deepEqual((await ask({ symbol: "THB_BTC" }, RISES, "110")).titles, []);
  });
});
