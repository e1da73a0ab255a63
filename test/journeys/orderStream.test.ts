import type { Locator } from "playwright-core";
import { settingKeys } from "../../src/contributions.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { withStreams } from "./support/openLive.ts";
import { restBid } from "./support/restingBid.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a person whose exchange streams the own orders", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    // Also for the next story with this editor, whose person watches prices.
    ({ workbench, exchange } = await takeLive({
      settings: { ...withStreams, [settingKeys.refreshSeconds]: 1 },
    }));
    // The exchange had no stream until now, and the desk keeps retrying.
    exchange.switches.streams = ["private"];
    await workbench.row("THB_BTC").waitFor();
    await waitFor("the stream is open", () => exchange.streams.count("private") === 1, 30_000);
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  const order = (text: RegExp): Locator => workbench.orders.filter({ hasText: text });
  const statusBar = (text: RegExp): Locator => workbench.page.locator(".statusbar-item", { hasText: text });

  it("sees a fill as soon as it is pushed, although no request reports it", async () => {
    await workbench.openTicket();
    await restBid(workbench);
    await order(/Buy BTC.*0% @/).waitFor();
    // From now on open orders, order info and history are refused for this pair.
    exchange.switches.unsupportedPairs = ["THB_BTC"];
    exchange.fillOrder("1", new Decimal("452"));
    await statusBar(/Buy order for BTC\/THB on \S+: now \d+\.\d\d% filled/).waitFor();
    await order(/Buy BTC.*[1-9]\d*\.\d\d% @/).waitFor();
    await workbench.screenshot("order-stream");
  });

  it("sees a fill from the time without a stream", async () => {
    exchange.streams.faults.refusal = { status: 503 };
    exchange.streams.drop("private");
    await waitFor("the stream is away", () => exchange.streams.count("private") === 0);
    exchange.fillOrder("1", new Decimal("548"));
    exchange.switches.unsupportedPairs = [];
    exchange.streams.faults.refusal = undefined;
    await order(/Buy BTC.*Filled @/).waitFor();
    await waitFor("the stream is back", () => exchange.streams.count("private") === 1, 60_000);
  });
});
