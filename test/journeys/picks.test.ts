import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import { type Workbench } from "./support/workbench.ts";

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
    shows: "Paste the address of the exchange's API",
  },
  { command: "Set Up Live Exchange", shows: "Paste the address of the exchange's API" },
  { command: "Find a Pair", shows: "THB_BTC" },
  { command: "Sort Markets", shows: "highest first" },
  { command: "Add Alert", choices: ["THB_BTC"], shows: "When the price moves" },
  { command: "Add Alert", choices: ["THB_BTC", "When the price moves"], shows: "Price move in percent" },
  { command: "Open Chart", shows: "THB_BTC" },
  { command: "Show Balance", shows: "Turn On Privacy Mode" },
  { command: "Set API Key and Secret", shows: "Paste the API key" },
];

describe("a pick or an input box that opens over the bid form", () => {
  let exchange: ProxiedPractice;
  let workbench: Workbench;

  before(async () => {
    ({ workbench, exchange } = await takeLive());
    await workbench.command("Bidside: Place Bid");
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  for (const { command, choices = [], shows } of ways)
    it(`keeps the focus: ${[command, ...choices].join(", ")}`, async function () {
      // The editor gives the focus back to the page some time after the palette closed: a busy computer may close the pick once.
      this.retries(2);
      await workbench.form.locator("#amount").click();
      await workbench.command(`Bidside: ${command}`);
      for (const choice of choices) await workbench.pick(choice);
      await workbench.quickInput.getByText(shows).first().waitFor();
      await workbench.quickInput.locator("input.input:focus").waitFor();
      await workbench.press("Escape");
    });
});
