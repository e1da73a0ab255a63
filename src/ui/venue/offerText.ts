import * as vscode from "vscode";
import type { AccountDiscovery } from "../../exchange/discovery/accountDiscovery.ts";
import type { PublicDiscovery } from "../../exchange/discovery/publicDiscovery.ts";
import { pathsOf, type readProfile, type ServiceProfile } from "../../exchange/profile.ts";
import type { CapabilityName, Endpoint } from "../../market/endpoints.ts";
import { pairName } from "../../market/pair.ts";
import type { ExchangeOffer, OfferRow } from "../../protocol/exchangePage.ts";
import { capabilityText } from "./featureText.ts";

/** What a discovery found, and what the person answered. */
export interface Discovered {
  readonly found: PublicDiscovery;
  /** Undefined: no key was entered. */
  readonly account: AccountDiscovery | undefined;
  /** Where order updates come from; undefined: they are polled. */
  readonly privateStreamHost: string | undefined;
  /** Why the account could not be read, in words. */
  readonly accountProblem: string | undefined;
  /** What using it means: a switch to it, new settings for the exchange in use, or nothing. */
  readonly use: "switch" | "update" | "none";
  /** What differs from the settings of the exchange in use. */
  readonly changes: readonly OfferRow[];
}

/** A discovery in words. */
export function offerOf(discovered: Discovered): ExchangeOffer {
  const { found, account, accountProblem, use, changes } = discovered;
  const host = found.baseUrl.host;
  const rows = [...marketRows(found), ...accountRows(discovered), ...tradingRows(account)];
  const off = rows.filter(({ state }) => state === "off").length;
  return {
    title: vscode.l10n.t("What {0} offers", host),
    summary: summaryOf(account, accountProblem, off),
    sections: [
      ...(changes.length > 0
        ? [{ title: vscode.l10n.t("Different from your settings"), rows: changes }]
        : []),
      { title: vscode.l10n.t("Market data"), rows: marketRows(found) },
      { title: vscode.l10n.t("Your account"), rows: accountRows(discovered) },
      { title: vscode.l10n.t("Trading"), rows: tradingRows(account) },
    ],
    actions: use === "none" ? [] : actionsOf(discovered),
  };
}

/** The most helpful action first. */
function actionsOf({ account, accountProblem, use, changes }: Discovered): ExchangeOffer["actions"] {
  const switches = { id: "use", label: vscode.l10n.t("Switch to Live") } as const;
  const updates = { id: "use", label: vscode.l10n.t("Use the New Settings") } as const;
  return [
    ...(use === "switch" ? [switches] : []),
    ...(use === "update" && changes.length > 0 ? [updates] : []),
    ...(account && accountProblem === undefined
      ? []
      : [{ id: "enterKey", label: vscode.l10n.t("Enter the API Key") } as const]),
    { id: "change", label: vscode.l10n.t("Change the Address") } as const,
    { id: "export", label: vscode.l10n.t("Export Profile…") } as const,
  ];
}

/** What differs between two profiles of one exchange: endpoints that moved, or that are found or not found any more. */
export function changesOf(now: ServiceProfile, next: ReturnType<typeof readProfile>): OfferRow[] {
  if (Array.isArray(next)) return [];
  const [before, after] = [endpointsOf(now), endpointsOf(next)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): OfferRow[] => {
    const [old, found] = [before.get(name), after.get(name)];
    if (old === found) return [];
    if (found === undefined)
      return [{ name, state: "off", text: vscode.l10n.t("{0} does not answer any more.", old ?? "") }];
    return [
      {
        name,
        state: "works",
        text:
          old === undefined
            ? vscode.l10n.t("New: {0}", found)
            : vscode.l10n.t("Moved from {0} to {1}", old, found),
      },
    ];
  });
}

/** The path of each endpoint, by its name for a person. */
function endpointsOf(profile: ServiceProfile): ReadonlyMap<string, string> {
  return new Map(
    pathsOf(profile).map(({ endpoint, path }) => [endpointName(endpoint), path.split("?")[0] ?? path]),
  );
}

function endpointName(endpoint: Endpoint): string {
  switch (endpoint) {
    case "serverTime":
      return vscode.l10n.t("Server time");
    case "tickers":
      return vscode.l10n.t("Prices");
    case "wallet":
      return vscode.l10n.t("Balance");
    case "placeBid":
      return vscode.l10n.t("Buying");
    case "history":
      return vscode.l10n.t("Charts");
    case "privateStream":
      return vscode.l10n.t("Your orders as they change");
    default:
      return capabilityText(endpoint);
  }
}

function summaryOf(account: AccountDiscovery | undefined, problem: string | undefined, off: number): string {
  if (problem !== undefined) return vscode.l10n.t("The account cannot be read. {0}", problem);
  if (!account) return vscode.l10n.t("Without an API key you can watch prices. Nothing was sent but reads.");
  return off === 0
    ? vscode.l10n.t("Everything that Bidside can use was found. Nothing was sent but reads.")
    : vscode.l10n.t("Nothing was sent but reads. What is off does not appear in Bidside.");
}

const row = (name: string, isFound: boolean, works: string, off: string): OfferRow => ({
  name,
  state: isFound ? "works" : "off",
  text: isFound ? works : off,
});

function marketRows(found: PublicDiscovery): OfferRow[] {
  const { tickers, features, historyPath, candlesSince, tickerStream, bookStream } = found;
  const notFound = vscode.l10n.t("Not found at any known path.");
  return [
    row(
      vscode.l10n.t("Prices"),
      true,
      vscode.l10n.t(
        "{0} pairs, for example {1}. {2}.",
        tickers.pairs,
        pairName(tickers.sample),
        tickerStream === undefined ? vscode.l10n.t("Polled") : vscode.l10n.t("Live, as they change"),
      ),
      "",
    ),
    row(
      vscode.l10n.t("Rules of each pair"),
      features.symbols !== undefined,
      vscode.l10n.t("Minimum, price step and limits are checked before you submit."),
      vscode.l10n.t("{0} The usual minimum and price step apply.", notFound),
    ),
    row(
      vscode.l10n.t("Order book"),
      features.depth !== undefined,
      bookStream === undefined ? vscode.l10n.t("Polled") : vscode.l10n.t("Live, as it changes"),
      notFound,
    ),
    row(
      vscode.l10n.t("Trades"),
      features.trades !== undefined,
      vscode.l10n.t("The newest trades of a pair"),
      notFound,
    ),
    row(
      vscode.l10n.t("Charts"),
      historyPath !== undefined,
      candlesSince === undefined
        ? vscode.l10n.t("Candles of the exchange")
        : vscode.l10n.t("Candles since {0}", monthText(candlesSince)),
      vscode.l10n.t("{0} Bidside records prices while it runs, and charts them.", notFound),
    ),
  ];
}

function accountRows({ account, privateStreamHost, accountProblem }: Discovered): OfferRow[] {
  const why =
    accountProblem === undefined && account
      ? vscode.l10n.t("Not found at any known path.")
      : vscode.l10n.t("Needs an API key that works.");
  const has = (name: CapabilityName): boolean => account?.features[name] !== undefined;
  const hasBalances = has("balances");
  return [
    row(
      vscode.l10n.t("Balance"),
      hasBalances || account?.wallet !== undefined,
      hasBalances
        ? vscode.l10n.t("Available and reserved amounts")
        : vscode.l10n.t("Available amounts only: what open orders reserve is not shown."),
      why,
    ),
    row(vscode.l10n.t("Open orders"), has("openOrders"), vscode.l10n.t("Found"), why),
    row(
      vscode.l10n.t("Fills"),
      has("orderHistory") || has("orderInfo"),
      vscode.l10n.t("From the order history"),
      why,
    ),
    row(
      vscode.l10n.t("Order updates"),
      has("openOrders"),
      privateStreamHost === undefined
        ? vscode.l10n.t("Polled")
        : vscode.l10n.t("Live, from {0}", privateStreamHost),
      why,
    ),
  ];
}

function tradingRows(account: AccountDiscovery | undefined): OfferRow[] {
  const untried = vscode.l10n.t("Your first order will show.");
  const needsKey = vscode.l10n.t("Needs an API key that works.");
  const trade = (name: string, isKnown: boolean, off: string): OfferRow => ({
    name,
    state: isKnown ? "untried" : "off",
    text: isKnown ? untried : off,
  });
  const hasAccount = account !== undefined && account.error === undefined;
  const off = hasAccount
    ? vscode.l10n.t("This exchange shows no open orders, so Bidside cannot follow or cancel them.")
    : needsKey;
  return [
    trade(vscode.l10n.t("Buying"), hasAccount, needsKey),
    trade(vscode.l10n.t("Selling"), account?.features.placeAsk !== undefined, off),
    trade(vscode.l10n.t("Cancelling"), account?.features.cancelOrder !== undefined, off),
  ];
}

function monthText(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, {
    year: "numeric",
    month: "long",
    timeZone: "UTC",
  }).format(time);
}
