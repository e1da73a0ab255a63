import type { Workbench } from "./workbench.ts";

/** Bids 1000 THB for BTC far below the market, so that the order rests. Returns its rate. */
export async function restBid(workbench: Workbench): Promise<string> {
  await workbench.draft({ symbol: "THB_BTC" });
  await workbench.form.locator("#use-best-bid").click();
  const best = Number(await workbench.form.locator("#rate").inputValue());
  const rate = String(Math.floor(best * 0.9));
  await workbench.draft({ rate, amount: "1000" });
  await workbench.submit();
  await workbench.answerModal("Place Bid");
  await workbench.outcome("accepted your order");
  return rate;
}
