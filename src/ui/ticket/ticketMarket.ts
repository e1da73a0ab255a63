import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { offersAsks, offersPostOnly } from "../../desk/venue.ts";
import { freeOf } from "../../market/balance.ts";
import { plainText, quotedIfKnown } from "../../market/numbers/decimal.ts";
import type { FormNotice, FormQuote, PairRow, ToTicket } from "../../protocol/ticket.ts";
import { amountsAreHidden, colorsAreInverted } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { arrowText, rateText } from "../text/numberText.ts";
import { priceAge } from "../text/priceAge.ts";
import { formLimits } from "./limitsText.ts";
import { unknownBalanceText } from "./outcomeText.ts";

/** What the ticket shows of the exchange, its pairs and the account. */
export class TicketMarket {
  readonly #desk: Desk;
  readonly #symbols: () => readonly string[];

  /** `symbols`: of the pairs to list first. */
  constructor(desk: Desk, symbols: () => readonly string[]) {
    this.#desk = desk;
    this.#symbols = symbols;
  }

  /** The id of the current account. */
  get account(): string {
    return this.#desk.venue.account.id;
  }

  market(): ToTicket {
    const { venue, tickers, rules } = this.#desk;
    const symbols = new Set([...this.#symbols(), ...tickers.state.tickers.keys()]);
    const pairs = [...symbols].flatMap((symbol): PairRow[] => {
      const ticker = tickers.ticker(symbol);
      if (!ticker) return [];
      const { pair, last, percentChange, frozen } = ticker;
      return [
        {
          symbol,
          ...pair,
          name: rules.nameOf(pair),
          last: rateText(last, tickers.placesOf(ticker)),
          change: arrowText(percentChange),
          frozen,
        },
      ];
    });
    return {
      type: "market",
      exchange: {
        key: this.account,
        name: venue.venue?.name ?? "",
        live: venue.account.kind === "live",
        offersAsks: offersAsks(venue.venue),
        offersPostOnly: offersPostOnly(venue.venue),
        offersBook: this.#desk.book.isOffered,
      },
      inverted: colorsAreInverted(),
      pairs,
      note: this.#marketNote(),
    };
  }

  /** Prices and balance of a pair; undefined if it is not listed. */
  quote(symbol: string): FormQuote | undefined {
    const { tickers, balances, venue, placer } = this.#desk;
    const ticker = tickers.ticker(symbol);
    if (!ticker) return undefined;
    const { wallet } = balances.state;
    const { quote, base } = ticker.pair;
    const [available, availableBase] = [quote, base].map((asset) => wallet && freeOf(wallet, asset));
    return {
      symbol,
      ...ticker.pair,
      last: quotedIfKnown(ticker.last),
      bestBid: quotedIfKnown(ticker.bestBid),
      bestAsk: quotedIfKnown(ticker.bestAsk),
      places: tickers.placesOf(ticker),
      available: available && plainText(available),
      availableBase: availableBase && plainText(availableBase),
      hidden: amountsAreHidden(),
      note: this.note(symbol),
      limits: formLimits(placer.rulesOf(ticker.pair), ticker.pair, venue.venue?.name ?? ""),
    };
  }

  /** Why the price or balance is unreliable; "" if both are fine. */
  note(symbol: string): string {
    const { tickers, balances, venue } = this.#desk;
    const old = priceAge(tickers, venue, shownAmounts());
    if (old) return old.why;
    const problem = balances.state.problem;
    if (problem !== undefined) return explain(problem, shownAmounts(), venue.venue?.name ?? "").sentence;
    const { quote = "", base = "" } = tickers.ticker(symbol)?.pair ?? {};
    const leaving = offersAsks(venue.venue) ? [quote, base] : [quote];
    const unknown = leaving.find((asset) => balances.state.wallet?.get(asset) === "unreadable");
    return unknown === undefined ? "" : unknownBalanceText(unknown);
  }

  #marketNote(): FormNotice | undefined {
    const { venue, tickers } = this.#desk;
    const { state } = venue;
    if (state.kind === "unusable") {
      return {
        tone: "bad",
        text: explain(state.error, shownAmounts(), "").sentence,
        actions: [{ id: "switchAccount", title: vscode.l10n.t("Switch Account…") }],
      };
    }
    const { problem, readAt } = tickers.state;
    if (problem !== undefined && state.kind === "ready") {
      return {
        tone: "bad",
        text: explain(problem, shownAmounts(), state.venue.name).sentence,
        actions: [{ id: "refresh", title: vscode.l10n.t("Refresh") }],
      };
    }
    if (readAt === undefined) return { tone: "info", text: vscode.l10n.t("Loading the market…") };
    return { tone: "info", text: vscode.l10n.t("The exchange lists no pairs at the moment.") };
  }
}
