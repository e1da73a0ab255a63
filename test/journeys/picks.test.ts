import assert from "node:assert/strict";
import type { PracticeEndpoint } from "../../src/practice/http/routes.ts";
import type { PracticeExchange } from "../../src/practice/http/server.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import { isFull } from "../support/rounds.ts";
import { expand } from "./support/rows.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import { focusesAtRest, stealFocus } from "./support/stealFocus.ts";
import { type Workbench } from "./support/workbench.ts";

/** In a full run the editor takes the focus from each pick that does not wait. */
const TIMES = isFull() ? 20 : 3;

/** Longer than the checks of an open list take, in ms. */
const LATE_MS = 8000;

/** A way from the palette to a pick or an input box: the choices that lead there, and a text that proves it is open. */
interface Way {
  readonly command: string;
  readonly choices?: readonly string[];
  readonly shows: string;
  /** An endpoint that answers late: the list of what is looked for closes with the last answer. */
  readonly late?: PracticeEndpoint;
}

const ways: readonly Way[] = [
  { command: "Switch Exchange", shows: "Set Up Live Exchange" },
  {
    command: "Switch Exchange",
    choices: ["Set Up Live Exchange"],
    shows: "Paste the address of the exchange's API",
  },
  { command: "Set Up Live Exchange", shows: "Paste the address of the exchange's API" },
  { command: "Find a Pair", shows: "THB_BTC" },
  { command: "Sort Markets", shows: "highest first" },
  { command: "Add Alert", choices: ["THB_BTC"], shows: "When the price moves" },
  { command: "Add Alert", choices: ["THB_BTC", "When the price moves"], shows: "how many percent" },
  { command: "Open Chart", shows: "THB_BTC" },
  { command: "Show Balance", shows: "Turn On Privacy Mode" },
  { command: "Set API Key and Secret", shows: "Paste the API key" },
  { command: "Test Connection", shows: "Server time", late: "depth" },
];

describe("a pick that opens over the orders of an exchange that was just chosen", () => {
  let exchange: PracticeExchange;
  let workbench: Workbench;

  before(async () => {
    ({ workbench, exchange } = await takeLive());
    const journal = openOrderJournal({ directory: workbench.journalFolder, now: Date.now });
    for (const place of [{}, { venue: "live", origin: exchange.baseUrl }, { venue: "live" }] as const) {
      const intent = bidIntent({ ...place, at: Date.now() });
      journal.recordIntent(intent);
      journal.recordOutcome(intent.id, { state: "accepted", orderId: "1" });
    }
    journal.close();
    await workbench.restart();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  it(`keeps the focus ${TIMES} times out of ${TIMES} while the list is read level by level`, async () => {
    for (let time = 0; time < TIMES; time += 1) {
      await expand(workbench.orders.filter({ hasText: "Other exchanges" }));
      await workbench.orders.filter({ hasText: "BTC" }).first().click();
      const [choice, name] = time % 2 === 0 ? ["Practice", "Practice"] : ["Live: ", "127.0.0.1"];
      await workbench.command("Bidside: Switch Exchange");
      await workbench.pick(choice);
      await workbench.balance.filter({ hasText: name }).waitFor();
      await workbench.command("Bidside: Open Chart");
      await workbench.quickInput.getByText("THB_BTC").first().waitFor();
      await workbench.quickInput.locator("input.input:focus").waitFor();
      await workbench.press("Escape");
    }
  });
});

describe("a pick or an input box that opens over the bid form", () => {
  let exchange: PracticeExchange;
  let workbench: Workbench;

  before(async () => {
    ({ workbench, exchange } = await takeLive());
    if (isFull()) {
      // The ticket's frames, which open later, and the window that is open.
      await workbench.page.addInitScript(stealFocus);
      await workbench.page.evaluate(stealFocus);
    }
    await workbench.command("Bidside: Place Bid");
    await workbench.form.locator("#amount").click();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  const atRest = (): Promise<number> => workbench.page.evaluate(focusesAtRest);

  // The list of an exchange that answers late is open for five seconds only, which a busy computer may miss.
  for (const { command, choices = [], shows, late } of ways.filter((way) => isFull() || !way.late))
    it(`keeps the focus ${TIMES} times out of ${TIMES}: ${[command, ...choices].join(", ")}`, async () => {
      const before = await atRest();
      for (let time = 0; time < TIMES; time += 1) {
        await workbench.form.locator("#amount").click();
        await atRest();
        if (late) exchange.faults.next(late, { kind: "delay", when: "before", ms: LATE_MS });
        await workbench.command(`Bidside: ${command}`);
        for (const choice of choices) await workbench.pick(choice);
        await workbench.quickInput.getByText(shows).first().waitFor();
        await atRest();
        await workbench.quickInput.locator("input.input:focus").waitFor();
        await workbench.press("Escape");
      }
      if (isFull())
        assert.ok((await atRest()) - before >= TIMES, "The editor has given the form the focus each time.");
    });
});
