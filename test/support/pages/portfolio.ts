import { changeOver, totalValue, type ValueSnapshot } from "../../../src/market/holdings/valueSnapshot.ts";
import { dailyValues } from "../../../src/market/holdings/dailyValues.ts";
import { portfolioOf } from "../../../src/market/holdings/portfolio.ts";
import type { Trade } from "../../../src/market/holdings/cost.ts";
import { averageCost } from "../../../src/market/holdings/cost.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type {
  FromPortfolioPage,
  PortfolioContent,
  ToPortfolioPage,
} from "../../../src/protocol/portfolioPage.ts";
import type { KnownTrades } from "../../../src/desk/portfolio/knownTrades.ts";
import { startOfDay } from "../../../src/time/localDay.ts";
import type { RecordedTrade } from "../../../src/storage/orders/tradeBook.ts";
import { heldElsewhere } from "../builders/heldElsewhere.ts";
import { tickerOf, walletOf } from "../fakes/venue.ts";
import { loadUi } from "../fakes/vscode.ts";
import { HostedPage } from "./hostedPage.ts";
import type { PageState } from "./states.ts";

/** The Portfolio page in a browser without an editor: the test is its host. */
export class PortfolioPage extends HostedPage<FromPortfolioPage, ToPortfolioPage> {
  static async open(content: PortfolioContent): Promise<PortfolioPage> {
    const { portfolioHtml } = await loadUi(() => import("../../../src/ui/portfolio/portfolioPanel.ts"));
    const loaded = await HostedPage.load({
      name: "portfolio",
      html: (webview, extensionUri) => portfolioHtml(webview, extensionUri, "Portfolio"),
      size: { width: 900, height: 860 },
    });
    const page = new PortfolioPage(loaded);
    await page.show({ type: "content", content });
    return page;
  }
}

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const DAYS = 21;
/** Days of a record with more sales than the page lists. */
export const LONG = 420;

/** Hourly values until now with a deposit, and with a weekend in which nothing was recorded. */
function snapshotsOf(days: number): readonly ValueSnapshot[] {
  const count = days * 24;
  return Array.from({ length: count }, (_, hour): ValueSnapshot => {
    const price = Math.round(3_000_000 + 120_000 * Math.sin(hour / 40) + 15_000 * Math.sin(hour / 3));
    const cash = hour < count - 304 ? "250000" : "400000";
    return {
      at: NOW + (hour + 1 - count) * HOUR_MS,
      account: "practice",
      quote: "THB",
      balances: [
        { asset: "THB", quantity: new Decimal(cash), price: new Decimal("1") },
        { asset: "BTC", quantity: new Decimal("0.5"), price: new Decimal(String(price)) },
      ],
      elsewhere: [],
    };
  }).filter(({ at }) => at < NOW - 9 * 24 * HOUR_MS || at > NOW - 7 * 24 * HOUR_MS);
}

/** Of an account whose values are shown in another asset. */
const DOLLARS: ValueSnapshot = {
  at: NOW - 30 * HOUR_MS,
  account: "dollars",
  quote: "USDT",
  balances: [{ asset: "USDT", quantity: new Decimal("1520.75"), price: new Decimal("1") }],
  elsewhere: [],
};

const sale = (id: string, side: Trade["side"], at: number, value: string): RecordedTrade => ({
  id,
  orderId: id,
  txn: id,
  at,
  side,
  quantity: new Decimal("0.1"),
  value: new Decimal(value),
  fee: new Decimal("100"),
  rate: new Decimal(value).times("10"),
  isMaker: undefined,
});

const TRADES = [
  sale("1", "buy", Date.UTC(2026, 8, 2), "280000"),
  sale("2", "sell", Date.UTC(2026, 9, 12), "301000"),
  sale("3", "buy", Date.UTC(2026, 9, 14), "295000"),
  sale("4", "sell", Date.UTC(2026, 10, 3), "290000"),
];

function tradesOf(days: number): KnownTrades {
  const daily =
    days > DAYS
      ? Array.from({ length: days }, (_, day) => NOW - (days - day) * 24 * HOUR_MS).flatMap((at, day) => [
          sale(`b${day}`, "buy", at, "280000"),
          sale(`s${day}`, "sell", at + HOUR_MS, String(280_000 + 2000 * Math.round(5 * Math.sin(day)))),
        ])
      : [];
  const trades = [...TRADES, ...daily].sort((one, other) => one.at - other.at);
  const btc = {
    account: { venue: "practice", origin: "http://127.0.0.1:1" },
    pair: { base: "BTC", quote: "THB" },
    trades,
    entered: undefined,
    average: averageCost(trades),
  } as const;
  return { areReported: true, of: (asset) => (asset === "BTC" ? btc : undefined), all: [btc] };
}

/** What the host shows of an account with these balances and entries. */
export async function portfolioContentOf({
  areHidden = false,
  isEmpty = false,
  days = DAYS,
}: {
  readonly areHidden?: boolean;
  readonly isEmpty?: boolean;
  /** Of recorded values; with more than three weeks, there is a sale on each of them. */
  readonly days?: number;
} = {}): Promise<PortfolioContent> {
  const { portfolioContent } = await loadUi(() => import("../../../src/ui/portfolio/portfolioContent.ts"));
  const { AmountText } = await loadUi(() => import("../../../src/ui/text/amountText.ts"));
  const market = [
    tickerOf("THB_BTC", { last: 3_104_500, percentChange: 2.35 }),
    tickerOf("THB_ETH", { last: 101_250.5, percentChange: -4.1 }),
    tickerOf("THB_DOGE", { last: 5.25, percentChange: 0.4 }),
    tickerOf("THB_USDT", { last: 33.1, percentChange: -0.02 }),
    tickerOf("USDT_KUB", { last: 1.94, percentChange: 6.3 }),
  ];
  const held = {
    THB: "400000.25",
    BTC: "0.5",
    ETH: "2.25",
    KUB: "820",
    DOGE: "1.5",
    USDT: "0.2",
    AIR: "777",
  };
  const wallet = walletOf(held);
  const entries = [
    heldElsewhere({ quantity: "0.25", cost: ["THB", "500000"] }),
    heldElsewhere({ asset: "ETH", quantity: "1", place: "Ledger in the safe at my parents' house" }),
  ];
  const portfolio = portfolioOf(wallet, market, "THB", entries);
  const snapshots = isEmpty ? [] : snapshotsOf(days);
  const today = snapshots.slice(-12);
  const [first] = today;
  return portfolioContent({
    portfolio: isEmpty ? undefined : portfolio,
    elsewhereIsUnreadable: false,
    needsCredentials: isEmpty,
    today: first && {
      quote: "THB",
      result: changeOver(today, []).result,
      from: totalValue(first),
      since: first.at,
      leftOut: ["AIR"],
    },
    trades: isEmpty ? { areReported: false, of: () => undefined, all: [] } : tradesOf(days),
    snapshots,
    traded: [],
    days: [...dailyValues(snapshots, [], startOfDay)],
    leftOut: isEmpty ? undefined : { quotes: ["USDT"], until: Date.UTC(2026, 9, 30, 9) },
    account: "Main",
    others: isEmpty
      ? []
      : [
          { label: "Savings", snapshot: snapshots.at(-5) },
          { label: "Dollars", snapshot: DOLLARS },
          { label: "Old", snapshot: undefined },
        ],
    tickers: market,
    range: days > DAYS ? "all" : "month",
    period: days > DAYS ? "day" : "month",
    hiddenBelow: new Decimal("10"),
    amounts: new AmountText(areHidden),
    now: NOW,
  });
}

/** Every state of the Portfolio page that looks different. */
export const portfolioStates: readonly PageState[] = [
  { name: "portfolio", open: async () => await PortfolioPage.open(await portfolioContentOf()) },
  {
    name: "portfolio-hidden",
    open: async () => await PortfolioPage.open(await portfolioContentOf({ areHidden: true })),
  },
  {
    name: "portfolio-empty",
    open: async () => await PortfolioPage.open(await portfolioContentOf({ isEmpty: true })),
  },
];
