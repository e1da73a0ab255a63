import assert from "node:assert/strict";
import { pictureOfFailure, themes, Workbench, type Theme } from "./workbench.ts";

/** Every state of the form in every theme: looked at by axe here, and by people in .vscode-test/screenshots/. */
for (const theme of Object.keys(themes) as Theme[]) {
  describe(`the bid form in the ${theme} theme`, () => {
    let workbench: Workbench;

    before(async () => {
      workbench = await Workbench.open(theme);
      await workbench.openTicket();
    });
    afterEach(function () {
      return pictureOfFailure(this.currentTest, workbench);
    });
    after(() => workbench.close());

    async function lookAt(state: string): Promise<void> {
      await workbench.screenshot(`${theme}-${state}`);
      assert.deepEqual(await workbench.violations(), []);
    }

    it("has no violation while empty", async () => {
      await lookAt("empty");
    });

    it("has none with errors beside its fields", async () => {
      await workbench.submit();
      await workbench.form.locator("#amount-error", { hasText: "Enter" }).waitFor();
      await lookAt("errors");
    });

    it("has none filled in", async () => {
      await workbench.draft({ symbol: "THB_BTC", amount: "1000" });
      await workbench.form.locator("#quantity", { hasText: "BTC" }).waitFor();
      await lookAt("filled");
    });

    it("has none while it asks and after a bid was accepted", async () => {
      await workbench.form.locator("#use-best-ask").click();
      await workbench.submit();
      await workbench.modal.waitFor();
      await workbench.screenshot(`${theme}-confirmation`);
      await workbench.answerModal("Place Practice Bid");
      await workbench.outcome("accepted your bid");
      await workbench.orders.filter({ hasText: "Accepted" }).waitFor();
      await lookAt("accepted");
    });

    it("has none after a refusal", async () => {
      await workbench.draft({ amount: "1000", rate: "1000000" });
      await workbench.submit();
      await workbench.answerModal("Place Practice Bid");
      await workbench.outcome("Rejected, nothing was spent.");
      await lookAt("rejected");
    });

    it("fits a narrow column, with nothing cut off", async () => {
      await workbench.page.setViewportSize({ width: 720, height: 860 });
      const overflow = await workbench.form
        .locator("html")
        .evaluate((page) => page.scrollWidth - page.clientWidth);
      assert.equal(overflow, 0);
      await lookAt("narrow");
    });
  });
}
