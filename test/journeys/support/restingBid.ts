import type { Workbench } from "./workbench.ts";

/** Bids 1000 THB for BTC far below the market, so that the order rests. `asked`: a part of the question. */
export async function restBid(workbench: Workbench, asked: string): Promise<void> {
  await workbench.draft({ symbol: "THB_BTC" });
  await workbench.form.locator("#use-best-bid").click();
  const best = Number(await workbench.figure("rate"));
  await workbench.draft({ rate: String(Math.floor(best * 0.9)), amount: "1000" });
  await workbench.submit();
  await workbench.modal.filter({ hasText: asked }).waitFor();
  await workbench.answerModal("Buy");
  await workbench.outcome("accepted your order");
}
