import type { PublicDiscovery } from "../../../src/exchange/discovery/publicDiscovery.ts";
import type { FromExchangePage, OfferRow, ToExchangePage } from "../../../src/protocol/exchangePage.ts";
import { loadUi } from "../fakes/vscode.ts";
import { HostedPage } from "./hostedPage.ts";
import type { PageState } from "./states.ts";

/** The page about what an exchange offers, in a browser without an editor: the test is its host. */
class ExchangePage extends HostedPage<FromExchangePage, ToExchangePage> {
  static async open(): Promise<ExchangePage> {
    const { exchangeHtml } = await loadUi(() => import("../../../src/ui/venue/exchangePage.ts"));
    const page = await HostedPage.load({
      name: "exchange",
      html: (webview, extensionUri) => exchangeHtml(webview, extensionUri, "What api.example.com offers"),
      size: { width: 900, height: 860 },
    });
    return new ExchangePage(page);
  }
}

const SYMBOLS = { symbolOrder: "quoteFirst", symbolCase: "upper" } as const;
const FORM = { method: "GET", path: "/api/v3/market/depth", envelope: "B", ...SYMBOLS } as const;

const FOUND: PublicDiscovery = {
  baseUrl: new URL("https://api.example.com"),
  serverTime: "/api/v3/servertime",
  tickers: { path: "/api/v3/market/ticker", pairs: 214, sample: { quote: "THB", base: "BTC" }, ...SYMBOLS },
  features: { depth: FORM, symbols: FORM },
  historyPath: "/tradingview/history",
  candlesSince: Date.UTC(2019, 0, 1),
  tickerStream: "wss://stream.example.com/websocket-api",
  bookStream: undefined,
  headerPrefix: "X-SVC-",
  clockAheadMs: 180_000,
  isComplete: true,
};

/** Differences from the profile, with paths as long as they are. */
const CHANGES: readonly OfferRow[] = [
  { name: "Order book", state: "works", text: "Moved from /api/market/depth to /api/v3/market/depth" },
  { name: "Recent trades", state: "off", text: "/api/market/trades no longer responds" },
];

async function pageWith(use: "switch" | "update", accountProblem?: string): Promise<ExchangePage> {
  const { offerOf } = await loadUi(() => import("../../../src/ui/venue/offerText.ts"));
  const account = {
    wallet: FORM,
    features: { openOrders: FORM, placeAsk: FORM, cancelOrder: FORM },
    placeBid: FORM,
    hasClientIds: false,
    error: undefined,
    denied: new Set(["orderHistory"] as const),
    isComplete: true,
  };
  const page = await ExchangePage.open();
  const changes = use === "update" ? CHANGES : [];
  const offer = offerOf({
    found: FOUND,
    account,
    privateStreamHost: undefined,
    accountProblem,
    use,
    changes,
  });
  await page.show({ type: "offer", offer });
  return page;
}

/** Every state of the page about an exchange that looks different. */
export const exchangeStates: readonly PageState[] = [
  { name: "exchange", open: () => pageWith("switch") },
  {
    name: "exchange-changes",
    open: async () => {
      const page = await pageWith("update", "api.example.com returned error 6: Invalid signature.");
      await page.page.getByRole("button", { name: "Use the New Settings" }).hover();
      return page;
    },
  },
];
