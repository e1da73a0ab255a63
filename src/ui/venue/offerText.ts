import * as vscode from "vscode";
import type { AccountDiscovery, AccountPart } from "../../exchange/discovery/accountDiscovery.ts";
import type { PublicDiscovery } from "../../exchange/discovery/publicDiscovery.ts";
import type { CapabilityName } from "../../exchange/endpoints.ts";
import { pathsOf, type readProfile, type ServiceProfile } from "../../exchange/profile.ts";
import { pairName } from "../../market/pair.ts";
import type { ExchangeOffer, OfferRow } from "../../protocol/exchangePage.ts";
import { endpointText } from "../text/endpointText.ts";

const MINUTE_MS = 60_000;

/** Result of a discovery, with the user's answers. */
interface Discovered {
  readonly found: PublicDiscovery;
  /** Undefined: no key was entered. */
  readonly account: AccountDiscovery | undefined;
  /** Host of the order stream; undefined: orders are polled. */
  readonly privateStreamHost: string | undefined;
  /** Why the account could not be read, as text. */
  readonly accountProblem: string | undefined;
  /** What accepting does: switch to it, update the account's profile, or nothing. */
  readonly use: "switch" | "update" | "none";
  /** Differences from the account's profile. */
  readonly changes: readonly OfferRow[];
}

export function offerOf(discovered: Discovered): ExchangeOffer {
  const { found, use, changes } = discovered;
  const host = found.baseUrl.host;
  const rows = [...marketRows(found), ...accountRows(discovered), ...tradingRows(discovered)];
  const off = rows.filter(({ state }) => state === "off").length;
  return {
    title: vscode.l10n.t("What {0} offers", host),
    summary: summaryOf(discovered, off),
    sections: [
      ...(changes.length > 0
        ? [{ title: vscode.l10n.t("Differences from your account"), rows: changes }]
        : []),
      { title: vscode.l10n.t("Market data"), rows: marketRows(found) },
      { title: vscode.l10n.t("Your account"), rows: accountRows(discovered) },
      { title: vscode.l10n.t("Trading"), rows: tradingRows(discovered) },
    ],
    actions: use === "none" ? [] : actionsOf(discovered),
  };
}

/** Most helpful action first. */
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

/** Differences between two profiles of one exchange: endpoints that moved, appeared or disappeared. */
export function changesOf(now: ServiceProfile, next: ReturnType<typeof readProfile>): OfferRow[] {
  if (Array.isArray(next)) return [];
  const [before, after] = [endpointsOf(now), endpointsOf(next)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): OfferRow[] => {
    const [old, found] = [before.get(name), after.get(name)];
    if (old === found) return [];
    if (found === undefined)
      return [{ name, state: "off", text: vscode.l10n.t("{0} no longer responds", old ?? "") }];
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

/** Paths by the endpoint's display name. */
function endpointsOf(profile: ServiceProfile): ReadonlyMap<string, string> {
  return new Map(
    pathsOf(profile).map(({ endpoint, path }) => [endpointText(endpoint), path.split("?")[0] ?? path]),
  );
}

function summaryOf({ found, account, accountProblem }: Discovered, off: number): string {
  if (accountProblem !== undefined) return vscode.l10n.t("The account cannot be read. {0}", accountProblem);
  const what = !isComplete(found, account)
    ? vscode.l10n.t(
        "Not everything was checked: the exchange limited requests or stopped responding. Test the connection later.",
      )
    : !account
      ? vscode.l10n.t("Without an API key you can only watch prices.")
      : off === 0
        ? vscode.l10n.t("This exchange offers everything that Bidside can use.")
        : vscode.l10n.t("Bidside hides features that are off.");
  return vscode.l10n.t("{0} Bidside only read data and changed nothing on the exchange.", what);
}

type Ended = Pick<PublicDiscovery | AccountDiscovery, "isComplete"> | undefined;

function isComplete(...discoveries: readonly Ended[]): boolean {
  return discoveries.every((each) => each?.isComplete !== false);
}

function row(name: string, isFound: boolean, works: string, off: string): OfferRow {
  return { name, state: isFound ? "works" : "off", text: isFound ? works : off };
}

/** Why a part was not found, if the exchange did not deny access to it. */
function missingText(...discoveries: readonly Ended[]): string {
  return isComplete(...discoveries)
    ? vscode.l10n.t("Not found at any known path.")
    : vscode.l10n.t("Not checked.");
}

function marketRows(found: PublicDiscovery): OfferRow[] {
  const { tickers, features, historyPath, candlesSince, tickerStream, bookStream } = found;
  const missing = missingText(found);
  return [
    row(
      vscode.l10n.t("Prices"),
      true,
      vscode.l10n.t(
        "{0} pairs, for example {1}. {2}.",
        tickers.pairs,
        pairName(tickers.sample),
        tickerStream === undefined ? vscode.l10n.t("Polled") : vscode.l10n.t("Streamed"),
      ),
      "",
    ),
    row(
      vscode.l10n.t("Trading rules"),
      features.symbols !== undefined,
      vscode.l10n.t("Minimum, price step and limits are checked before you submit."),
      vscode.l10n.t("{0} The default minimum and price step apply.", missing),
    ),
    row(
      vscode.l10n.t("Order book"),
      features.depth !== undefined,
      bookStream === undefined ? vscode.l10n.t("Polled") : vscode.l10n.t("Streamed"),
      missing,
    ),
    row(
      vscode.l10n.t("Recent trades"),
      features.trades !== undefined,
      vscode.l10n.t("Shown beside the order book"),
      missing,
    ),
    row(
      vscode.l10n.t("Charts"),
      historyPath !== undefined,
      candlesSince === undefined
        ? vscode.l10n.t("Candles from the exchange")
        : vscode.l10n.t("Candles since {0}", monthText(candlesSince)),
      vscode.l10n.t("{0} Bidside records prices while it runs, and charts them.", missing),
    ),
    ...clockRows(found),
  ];
}

function clockRows({ clockAheadMs = 0 }: PublicDiscovery): OfferRow[] {
  const minutes = Math.round(Math.abs(clockAheadMs) / MINUTE_MS);
  if (minutes === 0) return [];
  const off =
    clockAheadMs > 0
      ? vscode.l10n.t("This computer's clock is {0} min slow.", minutes)
      : vscode.l10n.t("This computer's clock is {0} min fast.", minutes);
  const text = vscode.l10n.t(
    "{0} Correct it, so that charts and times are right. Orders are not affected: Bidside signs with the exchange's time.",
    off,
  );
  return [{ name: vscode.l10n.t("Clock"), state: "off", text }];
}

function accountRows({ found, account, privateStreamHost, accountProblem }: Discovered): OfferRow[] {
  const missing =
    account && accountProblem === undefined
      ? missingText(found, account)
      : vscode.l10n.t("Needs a working API key.");
  const why = (...parts: readonly AccountPart[]): string =>
    parts.some((part) => account?.denied.has(part))
      ? vscode.l10n.t(
          "Your API key lacks this permission. Grant it on the exchange, then test the connection.",
        )
      : missing;
  const has = (name: CapabilityName): boolean => account?.features[name] !== undefined;
  const hasBalances = has("balances");
  return [
    row(
      vscode.l10n.t("Balance"),
      hasBalances || account?.wallet !== undefined,
      hasBalances
        ? vscode.l10n.t("Available and reserved amounts")
        : vscode.l10n.t("Available amounts only, not those reserved by open orders"),
      why("wallet", "balances"),
    ),
    row(
      vscode.l10n.t("Open orders"),
      has("openOrders"),
      vscode.l10n.t("Listed in Orders until they fill or are cancelled"),
      why("openOrders"),
    ),
    row(
      vscode.l10n.t("Fills"),
      has("orderHistory") || has("orderInfo"),
      vscode.l10n.t("From the order history"),
      why("orderHistory", "orderInfo"),
    ),
    row(
      vscode.l10n.t("Order updates"),
      has("openOrders"),
      privateStreamHost === undefined
        ? vscode.l10n.t("Polled")
        : vscode.l10n.t("Streamed from {0}", privateStreamHost),
      why("openOrders"),
    ),
  ];
}

function tradingRows({ account, accountProblem }: Discovered): OfferRow[] {
  const untried = vscode.l10n.t("Not tested yet: your first order will show whether it works.");
  const needsKey = vscode.l10n.t("Needs a working API key.");
  const trade = (name: string, isKnown: boolean, off: string): OfferRow => ({
    name,
    state: isKnown ? "untried" : "off",
    text: isKnown ? untried : off,
  });
  const hasAccount = account !== undefined && accountProblem === undefined;
  const off = hasAccount
    ? vscode.l10n.t("Needs the list of open orders, so that Bidside can track and cancel your orders.")
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
