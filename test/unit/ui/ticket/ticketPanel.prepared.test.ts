import assert from "node:assert/strict";
import { PREPARED_ORDER_MS } from "../../../../src/assistant/preparedDrafts.ts";
import { AssistedWindow } from "../../../support/desks/assistedWindow.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";

type Edit = Parameters<NonNullable<AssistedWindow["page"]>["edit"]>[0];

const ORDER = { side: "buy", pair: "BTC/THB", amount: "1000", rate: "100" };

describe("the order ticket with a prepared order", () => {
  let client: FakeClient;
  let window: AssistedWindow;

  beforeEach(async () => {
    client = new FakeClient();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH")));
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "100000" }));
    window = await AssistedWindow.open("prepare", { client });
  });
  afterEach(() => window.close());

  async function prepare(order: object = ORDER): Promise<Record<string, unknown>> {
    const text = await window.invoke("bidside_prepareOrder", order);
    await window.settle();
    return JSON.parse(text ?? "") as Record<string, unknown>;
  }

  const page = () => window.page ?? assert.fail("no ticket is open");
  const shown = () => page().draft.message;

  it("is filled in and marked, and the confirmation says who prepared the figures", async () => {
    await prepare();
    const { symbol, amount, rate, preparedBy } = shown();
    assert.deepEqual([symbol, amount, rate, preparedBy], ["THB_BTC", "1000", "100", "assistant"]);
    page().submit();
    await window.settle(1500);
    const [dialog] = window.dialogs;
    assert.match(
      dialog?.detail ?? "",
      /^Prepared by an assistant\. Check every figure\.\n\nLimit price: 100\.00 THB/,
    );
    dialog?.answer(true);
    await window.settle();
    assert.equal(client.calls.placeOrder, 1);
    assert.deepEqual([shown().amount, shown().preparedBy], ["", undefined]);
  });

  it("keeps its mark and its figures when the user edits them", async () => {
    await prepare();
    page().edit((draft) => draft.setAmount("900"));
    await window.settle(PREPARED_ORDER_MS);
    assert.deepEqual([shown().amount, shown().preparedBy], ["900", "assistant"]);
    page().submit();
    await window.settle(1500);
    assert.match(window.dialogs[0]?.detail ?? "", /^Prepared by an assistant/);
  });

  it("is emptied after 2 minutes if the user left it alone", async () => {
    await prepare();
    await window.settle(PREPARED_ORDER_MS - 1);
    assert.equal(shown().amount, "1000");
    await window.settle(1);
    assert.deepEqual([shown().amount, shown().preparedBy, shown().symbol], ["", undefined, "THB_BTC"]);
  });

  it("stays while its confirmation is open", async () => {
    await prepare();
    page().submit();
    await window.settle(PREPARED_ORDER_MS + 1000);
    assert.equal(shown().amount, "1000");
    assert.equal(window.dialogs.length, 1);
  });

  it("accepts no other order while one is being confirmed or the user has figures in it", async () => {
    await prepare();
    page().submit();
    await window.settle(20_000);
    assert.match(String((await prepare({ ...ORDER, amount: "2000" }))["problem"]), /waits for the user/);
    window.dialogs[0]?.answer(false);
    window.closeTicket();
    await window.settle();
    await prepare({ ...ORDER, amount: "3000" });
    page().edit((draft) => draft.setAmount("50"));
    await window.settle(PREPARED_ORDER_MS);
    assert.match(String((await prepare({ ...ORDER, amount: "4000" }))["problem"]), /waits for the user/);
    assert.equal(shown().amount, "50");
    window.closeTicket();
    await window.command("bidside.placeBid");
    await window.settle();
    page().edit((draft) => draft.setAmount("60"));
    assert.match(String((await prepare({ ...ORDER, amount: "5000" }))["problem"]), /using the order ticket/);
    assert.equal(shown().amount, "60");
  });

  it("accepts no prepared order while the user has a price, amount or quantity in it, even for a hidden pair", async () => {
    await window.command("bidside.placeBid", "THB_BTC");
    await window.settle();
    for (const [type, clear] of [
      [(draft) => draft.setRate("90"), (draft) => draft.setRate("")],
      [(draft) => draft.setAmount("60"), (draft) => draft.setAmount("")],
      [(draft) => draft.setQuantity("0.5"), (draft) => draft.setQuantity("")],
    ] satisfies [Edit, Edit][]) {
      page().edit(type);
      const before = shown();
      assert.match(String((await prepare())["problem"]), /using the order ticket/);
      assert.deepEqual(shown(), before);
      page().choose("THB_ETH");
      assert.match(String((await prepare())["problem"]), /using the order ticket/, "another pair is shown");
      page().choose("THB_BTC");
      page().edit(clear);
      await window.settle(10_000);
    }
    assert.equal((await prepare())["problem"], undefined);
    assert.equal(shown().amount, "1000");
  });

  it("does not follow the active pair while it has a prepared order", async () => {
    await prepare();
    window.activePair.set("THB_ETH");
    assert.deepEqual([shown().symbol, shown().amount], ["THB_BTC", "1000"]);
    await window.settle(PREPARED_ORDER_MS);
    window.activePair.set("THB_ETH");
    assert.equal(shown().symbol, "THB_ETH");
  });

  it("forgets the prepared order when it is closed", async () => {
    await prepare();
    window.closeTicket();
    await window.settle(PREPARED_ORDER_MS);
    await window.command("bidside.placeBid");
    await window.settle();
    assert.deepEqual([shown().amount, shown().preparedBy], ["", undefined]);
  });

  it("is not confirmed by a click within a second, and can be submitted again", async () => {
    await prepare();
    page().submit();
    await window.settle(999);
    window.dialogs[0]?.answer(true);
    await window.settle();
    assert.equal(client.calls.placeOrder, 0);
    assert.equal(shown().amount, "1000");
    page().submit();
    await window.settle(1000);
    window.dialogs[0]?.answer(true);
    await window.settle();
    assert.equal(client.calls.placeOrder, 1);
  });

  it("has no figures after a window reload", async () => {
    await window.command("bidside.placeBid");
    await window.settle();
    page().edit((draft) =>
      draft.fillIn({ symbol: "THB_BTC", amount: "1000", rate: "100", preparedBy: "assistant" }),
    );
    page().ready();
    assert.deepEqual([shown().amount, shown().preparedBy], ["", undefined]);
  });

  describe("of a link", () => {
    it("says so, and leaves the missing figures to the user", async () => {
      await window.openLink("/order", "side=buy&pair=THB_ETH&amount=500");
      await window.settle();
      const { symbol, amount, preparedBy } = shown();
      assert.deepEqual([symbol, amount, preparedBy], ["THB_ETH", "500", "link"]);
      page().edit((draft) => draft.setRate("100"));
      page().submit();
      await window.settle(1500);
      assert.match(window.dialogs[0]?.detail ?? "", /^Filled in from a link\. Check every figure\./);
    });

    for (const [path, query] of [
      ["/order", "side=buy&pair=THB_XRP"],
      ["/order", "side=sell&pair=THB_BTC"],
      ["/order", "side=buy&pair=THB_BTC&confirm=1"],
      ["/pay", ""],
    ] as const)
      it(`is not opened, and a message says why: ${path}?${query}`, async () => {
        await window.openLink(path, query);
        await window.settle();
        assert.equal(window.page, undefined);
        assert.match(window.messages.at(-1) ?? "", /^The link was not opened\. \S+/);
      });
  });
});
