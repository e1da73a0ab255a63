import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { colorIds } from "../../src/contributions.ts";
import { editorStyles, recordEditorStyles, stylesOf } from "../support/pages/editorStyles.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { startLive } from "./support/live.ts";
import { frameOf } from "./support/pages.ts";
import { leaveEditor, takeLive, takePractice, unfold } from "./support/sharedEditor.ts";
import { themes, type Theme } from "../support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

/** Records the editor's styles for the tests of the pages, instead of comparing them. */
const RECORD = "BIDSIDE_RECORD_STYLES";

const THEMES = Object.keys(themes) as Theme[];

/** What only an editor shows, in pictures under .vscode-test/screenshots/. The pages have tests of their own. */
describe("the editor in every theme", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startLive();
    workbench = await takePractice();
    await workbench.openTicket();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  /** The rows with an icon, if there are any: its colour and the row's text, all of one moment, because prices move. */
  async function rowsWith(icon: string): Promise<{ color: string; text: string }[] | undefined> {
    const found = await workbench.rows.evaluateAll(
      (all, wanted) =>
        all.flatMap((row) => {
          const window = row.ownerDocument.defaultView;
          // The selected row has the colour of a selection.
          const isPlain = row.isConnected && !row.className.includes("selected");
          const shown = isPlain ? row.querySelector(wanted) : null;
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

  it("asks for confirmation on the practice exchange", async () => {
    await workbench.draft({ symbol: "THB_BTC", amount: "250000" });
    await workbench.form.locator("#use-best-ask").click();
    await workbench.submit();
    await workbench.modal.waitFor();
    await workbench.screenshot("confirmation-practice");
    await workbench.answerModal("Buy on Practice");
    await workbench.outcome("accepted your order");
    await workbench.orders.filter({ hasText: /\d% of | · Filled/ }).waitFor();
  });

  it("has colours for up and down in Markets, and gives its pages the styles that their tests use", async () => {
    for (const view of ["Alerts", "Wallet"]) await unfold(workbench, view);
    const frame = await frameOf(workbench.form);
    const found = new Map<Theme, Awaited<ReturnType<typeof stylesOf>>>();
    for (const theme of THEMES) {
      await workbench.useTheme(theme);
      await assertColours(theme);
      found.set(theme, await stylesOf(frame));
      await workbench.screenshot(`${theme}-editor`);
    }
    const { rules = [] } = found.get("dark2026") ?? {};
    const recorded = THEMES.map((theme) => {
      const { body = {}, variables = {} } = found.get(theme) ?? {};
      return [theme, { body, variables }] as const;
    });
    const styles = { rules, themes: Object.fromEntries(recorded) } as ReturnType<typeof editorStyles>;
    if (process.env[RECORD] !== undefined) recordEditorStyles(styles);
    assert.deepEqual(styles, editorStyles(), `To record what changed, run this test with ${RECORD}=1`);
  });

  it("looks different on a live exchange, also in its question", async () => {
    workbench = await takeLive(exchange.baseUrl);
    await workbench.openTicket();
    await workbench.form.locator("body.live").waitFor();
    await workbench.draft({ symbol: "THB_BTC", amount: "5000" });
    await workbench.form.locator("#use-last").click();
    await workbench.submit();
    await workbench.modal.filter({ hasText: "with real money?" }).waitFor();
    await workbench.screenshot("confirmation-live");
    await workbench.answerModal("Cancel");
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
