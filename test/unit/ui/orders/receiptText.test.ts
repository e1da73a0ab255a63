import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { exportText } from "../../../../src/storage/orders/export.ts";
import { loadUi, userSettings } from "../../../support/fakes/vscode.ts";
import type { SentOrder } from "../../../../src/storage/orders/order.ts";
import { openForm, type OpenForm } from "../../../support/pages/openForm.ts";
import { serveExchange, type TestExchange } from "../../../support/servers/exchange.ts";

const { orderItem } = await loadUi(() => import("../../../../src/ui/orders/orderItems.ts"));
const { shownAmounts } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { orderTooltip } = await loadUi(() => import("../../../../src/ui/orders/orderText.ts"));

const itemOf = (record: SentOrder) =>
  orderItem(record, {
    amounts: shownAmounts(),
    hasSeveralQuotes: false,
    isOurs: true,
    accountText: () => "",
  });

const DRAFT = { symbol: "THB_BTC", amount: "1000", rate: "100" };
const ORDER = { id: "7", typ: "limit", amt: 1000, rat: 100 };

describe("a receipt that contradicts the order", () => {
  let exchange: TestExchange;
  let form: OpenForm;
  beforeEach(async () => {
    exchange = await serveExchange();
    form = await openForm(exchange.url);
  });
  afterEach(async () => {
    userSettings.delete(settingKeys.hideAmounts);
    await form.close();
    await exchange.close();
  });

  async function bid(order: Record<string, unknown>) {
    exchange.answers.placeBid = (_request, response) =>
      void response.end(JSON.stringify({ error: 0, result: order }));
    const { notice, done } = await form.submit(DRAFT);
    const [record] = form.orders.own;
    return { notice, done, record: record ?? assert.fail() };
  }

  it("is shown as accepted with a warning in the ticket, with both figures and a link to Orders", async () => {
    const { notice, done, record } = await bid({ ...ORDER, amt: 10000, rat: 99.5 });
    assert.equal(notice?.tone, "warning");
    assert.match(
      notice.text,
      /accepted your order: .* Order ID: 7\. However, the exchange's response differs from your order: amount: sent 1,000\.00, returned 10,000\.00; limit price: sent 100\.00, returned 99\.50\. Check the order on /,
    );
    assert.deepEqual([notice.actions?.[0]?.id, done, record.state], ["showOrders", true, "accepted"]);
  });

  it("is marked in the journal, in the row, in the tooltip and in the export", async () => {
    const { record } = await bid({ ...ORDER, sym: "THB_ETH" });
    const item = itemOf(record);
    assert.match(String(item.description), / · Accepted, response differs · /);
    assert.equal((item.iconPath as { id: string }).id, "warning");
    const { value } = orderTooltip(record, shownAmounts());
    assert.match(
      value.replaceAll("\\", ""),
      /The exchange's response differs from the order: pair: sent THB_BTC, returned THB_ETH\./,
    );
    assert.match(exportText(form.orders, "comma"), /accepted as 7; symbol sent THB_BTC, receipt THB_ETH/);
    await form.orders.reread();
    assert.deepEqual(form.orders.own[0]?.evidence, record.evidence);
  });

  it("shows no amount while amounts are hidden, in the ticket and in the tooltip", async () => {
    userSettings.set(settingKeys.hideAmounts, true);
    const { notice, record } = await bid({ ...ORDER, amt: 10000 });
    assert.match(notice?.text ?? "", /amount: sent •••, returned •••/);
    assert.match(orderTooltip(record, shownAmounts()).value, /amount: sent •••, returned •••/);
  });

  it("is not reported for a receipt that repeats the bid", async () => {
    const { notice, record } = await bid({ ...ORDER, amt: "1000.00", sym: "btc_thb", side: "BUY" });
    assert.equal(notice?.tone, "good");
    assert.match(String(itemOf(record).description), / · Accepted · /);
  });
});
