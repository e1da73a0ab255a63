import assert from "node:assert/strict";
import type { PracticeExchange } from "../../src/practice/http/server.ts";
import { waitFor } from "../support/waitFor.ts";
import { openLive } from "./support/openLive.ts";
import { focusesTaken, stealFocus } from "./support/stealFocus.ts";
import { type Workbench } from "./support/workbench.ts";

const TIMES = 20;

/** A way from the palette to a pick or an input box: the choices that lead there, and a text that proves it is open. */
interface Way {
  readonly command: string;
  readonly choices?: readonly string[];
  readonly shows: string;
}

const ways: readonly Way[] = [
  { command: "Switch Exchange", shows: "Set Up Live Exchange" },
  {
    command: "Switch Exchange",
    choices: ["Set Up Live Exchange"],
    shows: "Base URL of the exchange's API",
  },
  { command: "Set Up Live Exchange", shows: "Base URL of the exchange's API" },
  { command: "Find a Pair", shows: "THB_BTC" },
  { command: "Sort Markets", shows: "highest first" },
  { command: "Add Alert", choices: ["THB_BTC"], shows: "When the price moves" },
  { command: "Add Alert", choices: ["THB_BTC", "When the price moves"], shows: "how many percent" },
  { command: "Open Chart", shows: "THB_BTC" },
  { command: "Show Balance", shows: "Hide Amounts" },
  { command: "Set API Key and Secret", shows: "Paste the API key" },
  { command: "Test Connection", shows: "Server time" },
];

describe("a pick or an input box that opens over the bid form", () => {
  let exchange: PracticeExchange;
  let workbench: Workbench;

  before(async () => {
    ({ workbench, exchange } = await openLive("dark", { initScript: stealFocus }));
    await workbench.command("Bidside: Place Bid");
    await workbench.form.locator("#amount").click();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  for (const { command, choices = [], shows } of ways)
    it(`keeps the focus ${TIMES} times out of ${TIMES}: ${[command, ...choices].join(", ")}`, async () => {
      const before = await focusesAtRest();
      for (let time = 0; time < TIMES; time += 1) {
        await workbench.form.locator("#amount").click();
        await focusesAtRest();
        await workbench.command(`Bidside: ${command}`);
        for (const choice of choices) await workbench.pick(choice);
        await workbench.quickInput.getByText(shows).first().waitFor();
        await focusesAtRest();
        await workbench.quickInput.locator("input.input:focus").waitFor();
        await workbench.press("Escape");
      }
      assert.ok(
        (await focusesAtRest()) - before >= TIMES,
        "The editor has given the form the focus each time.",
      );
    });

  /** How often the editor has given a page the focus, when no such message is on its way. */
  async function focusesAtRest(): Promise<number> {
    return await waitFor("the page to have taken the focus", () => workbench.page.evaluate(focusesTaken));
  }
});
