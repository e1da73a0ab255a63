import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { colorIds } from "../../src/contributions.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { openChart } from "./support/openChart.ts";
import { livePair } from "./support/live.ts";
import { cutOff, givePageWidth, NARROW } from "./support/pageWidth.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import { themes, type Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

/** A state of a page, and how to get to it from any state that is checked with it. */
type State = readonly [name: string, show?: (theme: Theme) => Promise<void>];

/** Every state of ticket and chart in every theme: checked by axe here, and by people in .vscode-test/screenshots/. */
describe("the order ticket and the chart in every theme", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
    workbench = await takePractice();
    await workbench.openTicket();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  /** Checks the pages on screen in all themes, in each of some states. A change of theme may end a state. */
  async function lookAt(...states: readonly State[]): Promise<void> {
    for (const [index, theme] of (Object.keys(themes) as Theme[]).entries()) {
      await workbench.useTheme(theme);
      for (const [state, show] of states) {
        await show?.(theme);
        await workbench.screenshot(`${theme}-${state}`);
        const violations = await workbench.violations(index === 0 ? "all" : "colours");
        assert.deepEqual(violations, [], `${state} in ${theme}`);
      }
    }
  }

  /** The rows with an icon, if there are any: its colour and the row's text, all of one moment, because prices move. */
  async function rowsWith(icon: string): Promise<{ color: string; text: string }[] | undefined> {
    const found = await workbench.rows.evaluateAll(
      (all, wanted) =>
        all.flatMap((row) => {
          const window = row.ownerDocument.defaultView;
          const shown = row.isConnected ? row.querySelector(wanted) : null;
          return shown && window
            ? [{ color: window.getComputedStyle(shown).color, text: row.innerText }]
            : [];
        }),
      icon,
    );
    return found.length > 0 ? found : undefined;
  }

  /** Up and down have different colours in Markets, beside an arrow and a sign. */
  async function assertColours(theme: Theme): Promise<void> {
    for (const direction of ["up", "down"] as const) {
      const rows = await waitFor(`a row that went ${direction}`, () =>
        rowsWith(`.codicon-arrow-${direction}`),
      );
      assert.deepEqual([...new Set(rows.map(({ color }) => color))], [colorOf(direction, theme)]);
      for (const { text } of rows) {
        assert.match(text, direction === "up" ? /\+\d/ : /-\d/);
        assert.doesNotMatch(text, /[▲▼]/);
      }
    }
  }

  it("have no violation in an empty ticket and in the list of pairs, and up and down differ in Markets", async () => {
    const pair = workbench.form.locator("#pair");
    const list = workbench.form.locator("#pair-list");
    const clear = async (): Promise<void> => {
      await pair.fill("");
      await pair.blur();
      await list.waitFor({ state: "hidden" });
    };
    const empty = async (theme: Theme): Promise<void> => {
      await assertColours(theme);
      await clear();
    };
    const listed = async (): Promise<void> => {
      await pair.fill("b");
      await list.waitFor();
    };
    await lookAt(["empty", empty], ["pairs", listed]);
    await clear();
  });

  it("have no violation in errors beside the fields", async () => {
    await workbench.submit();
    await workbench.form.locator("#amount-error", { hasText: "Enter" }).waitFor();
    await lookAt(["errors"]);
  });

  it("have no violation in a ticket that is filled in, or that sells", async () => {
    await workbench.draft({ symbol: "THB_BTC" });
    await workbench.form.locator("#use-best-ask").click();
    const fill = async (): Promise<void> => {
      await workbench.form.locator("#side-buy").check();
      await workbench.draft({ amount: "250000" });
      await workbench.form.locator("#total", { hasText: "250,000.00 THB" }).waitFor();
    };
    await lookAt(["filled", fill], ["ask", () => workbench.form.locator("#side-sell").check()]);
    await fill();
  });

  it("have no violation while a bid is confirmed and after it was accepted", async () => {
    await workbench.submit();
    await workbench.modal.waitFor();
    await workbench.screenshot("confirmation-practice");
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order");
    await workbench.orders.filter({ hasText: /\d% @|Filled @/ }).waitFor();
    await lookAt(["accepted"]);
  });

  it("have no violation in a share of a hidden balance", async () => {
    await workbench.command("Bidside: Toggle Privacy Mode");
    await workbench.form.locator("#available", { hasText: "•••" }).waitFor();
    await workbench.form.getByRole("button", { name: "50%" }).click();
    await workbench.form.getByPlaceholder("50% of the available balance").waitFor();
    await lookAt(["hidden"]);
    await workbench.command("Bidside: Toggle Privacy Mode");
    await workbench.form.locator("#available", { hasText: /\d/ }).waitFor();
  });

  it("fit a window at 200 percent, with nothing cut off", async () => {
    const size = workbench.page.viewportSize() ?? assert.fail();
    // Twice as large on the same window: half as many pixels of CSS.
    await workbench.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
    assert.deepEqual(await cutOff(workbench), []);
    await workbench.screenshot("zoomed");
    await workbench.page.setViewportSize({ width: 1600, height: 1000 });
    await workbench.screenshot("wide");
    await workbench.page.setViewportSize(size);
  });

  it("have no violation in a chart with its crosshair or in a table with its button hovered", async () => {
    await openChart(workbench, "THB_BTC");
    const chart = workbench.chart.locator("#chart");
    const toggle = workbench.chart.locator("#table-toggle");
    const point = async (): Promise<void> => {
      if (!(await chart.isVisible())) await toggle.click();
      const box = (await chart.boundingBox()) ?? assert.fail("no chart");
      await workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 3 });
    };
    // A pressed button must be readable under the pointer.
    await lookAt(["chart", point], ["table", () => toggle.click()]);
    await workbench.command("View: Close Editor");
  });

  it("have no violation after a live exchange refused a bid in its own words, also in a column of 300 pixels, with nothing cut off", async () => {
    // This exchange does not state its price band, so the ticket cannot know it.
    for (let times = 0; times < 10; times += 1)
      exchange.faults.next("symbols", { kind: "code", when: "before", code: 11 });
    await workbench.goLive(exchange.baseUrl, livePair);
    await workbench.openTicket();
    await workbench.form.locator("body.live").waitFor();
    await workbench.draft({ symbol: "THB_BTC", amount: "1000", rate: "1000000" });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(
      /Rejected\. Nothing was spent\. 127\.0\.0\.1:\d+ returned error 14: Improper rate \(The rate is more than/,
    );
    await workbench.form.locator("#rate-error", { hasText: "closer to the last price" }).waitFor();
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    const size = workbench.page.viewportSize() ?? assert.fail();
    const usual = (): Promise<void> => workbench.page.setViewportSize(size);
    const narrow = async (): Promise<void> => {
      await givePageWidth(workbench, NARROW);
      assert.deepEqual(await cutOff(workbench), []);
    };
    await lookAt(["rejected", usual], ["narrow", narrow]);
    await usual();
  });

  it("have no violation on a live exchange, which looks different in ticket and chart", async () => {
    await workbench.draft({ amount: "5000" });
    await workbench.form.locator("#use-last").click();
    await workbench.submit();
    await workbench.modal.waitFor();
    await workbench.screenshot("confirmation-live");
    await workbench.answerModal("Cancel");
    await openChart(workbench, "THB_BTC");
    await workbench.chart.locator("body.live").waitFor();
    await workbench.command("View: Move Editor into Right Group");
    await workbench.form.locator("body.live").waitFor();
    await lookAt(["live"]);
  });
});

/** The contributed colour, as a browser writes it. */
function colorOf(direction: "up" | "down", theme: Theme): string {
  const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
    contributes: { colors: { id: string; defaults: Record<string, string> }[] };
  };
  const kind = theme.replace("2026", "");
  const hex = contributes.colors.find(({ id }) => id === colorIds[direction])?.defaults[kind] ?? "";
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${parts.join(", ")})`;
}
