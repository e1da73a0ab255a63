import assert from "node:assert/strict";
import type { SentOrder } from "../../../../src/storage/orders/order.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { dateTimeText, momentText, timeText } = await loadUi(
  () => import("../../../../src/ui/text/timeText.ts"),
);
const { orderDetails } = await loadUi(() => import("../../../../src/ui/orders/orderText.ts"));

/** 04:30 on 22 November in Bangkok; still the 21st in UTC. */
const AT = Date.UTC(2026, 10, 21, 21, 30, 12);

const plain = (text: string): string => text.replaceAll(/\s/g, " ");

describe("a displayed time", () => {
  const usual = process.env["TZ"];
  afterEach(() => {
    if (usual === undefined) delete process.env["TZ"];
    else process.env["TZ"] = usual;
  });

  it("has the local date beside the local time, in an order's details and in every other date", () => {
    process.env["TZ"] = "Asia/Bangkok";
    const bid = {
      intent: {
        venue: "practice",
        origin: "http://127.0.0.1:1",
        side: "buy",
        symbol: "THB_BTC",
        quote: "THB",
        base: "BTC",
        amount: "5000",
        rate: "2950000",
        quantity: "0.001",
        at: AT,
      },
      state: "accepted",
      evidence: [
        { kind: "check", at: AT + 1000, text: "no change", state: "unknown" },
        { kind: "outcome", state: "accepted", orderId: "7", at: AT + 86_400_000 },
      ],
    } as unknown as SentOrder;
    const details = orderDetails(bid).map(plain);
    assert.ok(details.includes("Time: Nov 22, 2026, 4:30:12 AM"), details.join("\n"));
    assert.ok(details.includes("4:30:13 AM: checked: no change"), details.join("\n"));
    assert.ok(details.includes("Nov 23, 2026, 4:30:12 AM: accepted, order 7"), details.join("\n"));
    assert.equal(plain(momentText(AT, AT + 3_600_000)), "4:30 AM");
    assert.equal(plain(momentText(AT, AT + 20 * 3_600_000)), "Nov 22, 4:30 AM");
    assert.equal(plain(momentText(AT, AT + 60 * 86_400_000)), "Nov 22, 2026, 4:30 AM");
  });

  it("follows a laptop to another time zone", () => {
    process.env["TZ"] = "Asia/Bangkok";
    assert.deepEqual([timeText(AT), dateTimeText(AT)].map(plain), ["4:30:12 AM", "Nov 22, 2026, 4:30:12 AM"]);
    process.env["TZ"] = "America/New_York";
    assert.deepEqual([timeText(AT), dateTimeText(AT)].map(plain), ["4:30:12 PM", "Nov 21, 2026, 4:30:12 PM"]);
  });
});
