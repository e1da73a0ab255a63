import type * as vscode from "vscode";
import type { BalanceFeed } from "../../desk/feeds/balanceFeed.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import { OrderPlacer } from "../../desk/orders/orderPlacer.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { usualRules } from "../../market/order.ts";
import { bidLimits } from "../settings.ts";
import { BidPanel, type BidPanelParts } from "./bidPanel.ts";
import { confirmAbove, confirmBid } from "./confirmation.ts";

export interface BidParts {
  readonly extensionUri: vscode.Uri;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly shared: BidPanelParts["shared"];
  readonly orders: Orders;
  readonly noteInput: BidPanelParts["noteInput"];
  readonly timers: BidPanelParts["timers"];
  readonly log: vscode.LogOutputChannel;
}

/** The ticket with its parts of the desk. */
export function createBidPanel(parts: BidParts): BidPanel {
  const { venue, tickers, balances, shared, orders, timers } = parts;
  const desk = new OrderPlacer({
    rules: usualRules,
    now: timers.now,
    limits: bidLimits,
    prices: tickers,
    orders,
    venue,
    ticker: (symbol) => tickers.ticker(symbol),
    available: (asset) => balances.available(asset),
    confirmAbove: (bid, at, open) =>
      confirmAbove(bid, at, { open, now: timers.now(), ticker: tickers.ticker(bid.symbol) }),
    confirm: async (bid, at, open) => {
      const isConfirmed = await confirmBid(bid, at, {
        open,
        now: timers.now(),
        ticker: tickers.ticker(bid.symbol),
        available: balances.available(bid.pair.quote),
      });
      if (isConfirmed) panel.showSending(at);
      return isConfirmed;
    },
    afterSending: () => shared.balance.refreshEverywhere(),
  });
  const panel = new BidPanel({ ...parts, desk });
  return panel;
}
