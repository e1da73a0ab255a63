import * as vscode from "vscode";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import type { AmountText } from "./amountText.ts";
import { explain } from "./errorText.ts";
import { ageValidMs, ageText } from "./timeText.ts";

interface PriceAge {
  /** "Prices are 75 sec old." */
  readonly age: string;
  /** Reason and remedy. */
  readonly why: string;
  /** How long `age` stays valid, ms. */
  readonly validMs: number;
}

/** Undefined while prices are fresh, or if there are none. */
export function priceAge(
  tickers: TickerFeed,
  venue: CurrentVenue,
  amounts: AmountText,
): PriceAge | undefined {
  const { ageMs } = tickers;
  if (ageMs === undefined || tickers.state.tickers.size === 0 || !tickers.isStale) return undefined;
  return {
    age: vscode.l10n.t("Prices are {0} old.", ageText(ageMs)),
    why: whyOld(tickers, amounts, venue.venue?.name ?? vscode.l10n.t("The exchange")),
    validMs: ageValidMs(ageMs),
  };
}

function whyOld({ state, freshness }: TickerFeed, amounts: AmountText, name: string): string {
  if (state.problem !== undefined) return explain(state.problem, amounts, name).sentence;
  return freshness.isOnTime
    ? vscode.l10n.t("They are polled every {0}.", ageText(freshness.intervalMs))
    : vscode.l10n.t("Waiting for {0} to respond.", name);
}
