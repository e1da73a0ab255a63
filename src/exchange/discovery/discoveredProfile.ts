import type { Features } from "../features.ts";
import type { ProfileDraft, ServiceProfile } from "../profile.ts";
import type { AccountDiscovery } from "./accountDiscovery.ts";
import type { PublicDiscovery } from "./publicDiscovery.ts";

/** What the user entered or confirmed beside what was found. */
export interface DiscoveryAnswers {
  readonly headerPrefix: string;
  /** The settings in use, if they are for this exchange: features that discovery cannot find are taken from them. */
  readonly known?: ServiceProfile | undefined;
  /** The private stream, if the exchange has one. */
  readonly privateStream?: Features["privateStream"];
}

/**
 * The settings of an exchange as it was found. Nothing of another exchange's settings remains. `account` is missing until a
 * key was entered: then there are prices only, and the paths of the specification for the rest.
 */
export function discoveredProfile(
  found: PublicDiscovery,
  account: AccountDiscovery | undefined,
  { headerPrefix, known, privateStream }: DiscoveryAnswers,
): Required<ProfileDraft> {
  const { baseUrl, serverTime, tickers, historyPath, tickerStream, bookStream } = found;
  const wallet = account?.wallet;
  return {
    baseUrl: baseUrl.href.replace(/\/$/, ""),
    headerPrefix,
    paths: {
      ...(serverTime !== undefined && { serverTime }),
      tickers: tickers.path,
      ...(wallet && { wallet: wallet.path }),
      ...(account && { placeBid: account.placeBid }),
    },
    walletMethod: wallet?.method ?? "auto",
    symbolOrder: tickers.symbolOrder,
    historyPath: historyPath ?? "",
    features: {
      ...found.features,
      ...account?.features,
      ...(account?.hasClientIds && { clientOrderId: { duplicates: "unknown" }, postOnly: true }),
      ...(account?.features.orderHistory && {
        historyAmountOfBuys: account.features.orderHistory.envelope === "A" ? "base" : "quote",
      }),
      ...(account && undiscoverable(known?.features)),
      ...(tickerStream !== undefined && { tickerStream: { path: tickerStream } }),
      ...(bookStream !== undefined && { bookStream: { path: bookStream } }),
      ...(privateStream && { privateStream }),
    },
  };
}

/** The features that only documentation can tell, taken from the settings in use. */
function undiscoverable({ clientOrderId, postOnly, historyAmountOfBuys }: Features = {}): Features {
  return {
    ...(clientOrderId && { clientOrderId }),
    ...(postOnly !== undefined && { postOnly }),
    ...(historyAmountOfBuys && { historyAmountOfBuys }),
  };
}
