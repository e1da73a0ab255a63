import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { openChart } from "./support/openChart.ts";
import { leaveEditor, takePractice, unfold } from "./support/sharedEditor.ts";
import type { Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

const looked: readonly Theme[] = ["dark2026", "light2026", "highContrast"];

describe("a person whose orders rest and are filled", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await workbench.row("THB_BTC").waitFor();
    await unfold(workbench, "Wallet");
    await workbench.header("Wallet").filter({ hasText: "THB" }).waitFor();
    await unfold(workbench, "Orders", false);
  });
  after(() => leaveEditor(workbench));

  /** The text of the wallet's row with this label, without the spaces of its columns. */
  const row = async (label: string): Promise<string> => {
    const texts = await workbench.wallet.allInnerTexts();
    return (
      texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).find((text) => text.startsWith(label)) ?? ""
    );
  };

  async function lookAt(state: string): Promise<void> {
    for (const [index, theme] of looked.entries()) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`${theme}-${state}`);
      assert.deepEqual(
        await workbench.violations(index === 0 ? "all" : "colours"),
        [],
        `${state} in ${theme}`,
      );
    }
  }

  it("sees what a resting order reserves, and that the total does not fall", async () => {
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC" });
    await workbench.form.locator("#use-last").click();
    const last = Number(await workbench.form.locator("#rate").inputValue());
    await workbench.draft({ amount: "5000", rate: (last * 0.85).toFixed(2) });
    await workbench.submit();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order");
    await workbench.balance.filter({ hasText: "Practice 995,000.00 THB · 5,000.00 reserved" }).waitFor();
    await waitFor("the reserved amount in the wallet", async () =>
      /^THB ?1,000,000\.00 .*reserved 5,000\.00$/.test(await row("THB")),
    );
    assert.match(await row("Total"), /^Total ?1,000,000\.00 /);
  });

  it("sees average cost and result after a fill", async () => {
    await workbench.draft({ amount: "1000" });
    await workbench.form.locator("#use-best-ask").click();
    await workbench.form.locator("#rate-up").click();
    await workbench.submit();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order");
    await waitFor("the bought asset", async () => (await row("BTC")).startsWith("BTC"));
    const btc = workbench.wallet.filter({ hasText: /^BTC/ }).first();
    await waitFor("figures below the asset", async () => {
      await btc.click();
      await workbench.press("ArrowRight");
      return (await row("Average cost")).match(/^Average cost ?[\d,.]+ THB$/) !== null;
    });
    assert.match(await row("Unrealised result"), /^Unrealised result ?.*% \([+-][\d.]+ THB\)$/);
    assert.match(await row("Fills since"), /^Fills since ?\S/);
    // With the reserved amount of the order before.
    assert.match(await row("THB"), /reserved 5,000\.00$/);
    await lookAt("wallet");
  });

  it("sees the open order, the fill and the average cost in the chart", async () => {
    await openChart(workbench, "THB_BTC");
    const marks = workbench.chart.locator("#marks li");
    await marks.filter({ hasText: /^Average cost [\d,.]+$/ }).waitFor({ state: "attached" });
    await marks.filter({ hasText: /^Open order: Buy 0\.00\d+ at [\d,.]+$/ }).waitFor({ state: "attached" });
    await marks
      .filter({ hasText: /^Bought 0\.000\d+ at [\d,.]+, / })
      .first()
      .waitFor({ state: "attached" });
    await workbench.chart.locator("#chart").focus();
    await workbench.press("End");
    await lookAt("chart-marks");
  });

  it("hides a kind of marks by its button and shows it again, with the keyboard; the choice is a setting", async () => {
    const average = workbench.chart.locator('[data-mark="averageCost"]');
    await average.focus();
    await workbench.press("Space");
    const marks = workbench.chart.locator("#marks li");
    await waitFor("the average cost to go", async () => {
      const texts = await marks.allTextContents();
      return texts.length > 0 && !texts.some((text) => text.startsWith("Average cost"));
    });
    assert.equal(await average.getAttribute("aria-pressed"), "false");
    const settings = join(workbench.userDataDir, "User", "settings.json");
    await waitFor("the setting", () => readFileSync(settings, "utf8").includes(settingKeys.showAverageCost));
    await workbench.press("Space");
    await marks.filter({ hasText: /^Average cost/ }).waitFor({ state: "attached" });
  });
});
