import type { Features } from "../features.ts";
import type { ProfileDraft, ServiceProfile } from "../profile.ts";
import type { AccountDiscovery } from "./accountDiscovery.ts";
import type { PublicDiscovery } from "./publicDiscovery.ts";

/** What the user entered or confirmed. */
export interface DiscoveryAnswers {
  readonly headerPrefix: string;
  /** The current profile, if it is for this exchange. Features that cannot be discovered are taken from it. */
  readonly known?: ServiceProfile | undefined;
  /** The private stream, if the exchange has one. */
  readonly privateStream?: Features["privateStream"];
}

/**
 * The profile of a discovered exchange. It keeps nothing of another exchange's. Without `account` (no key yet)
 * the private endpoints have their default paths.
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
      ...(account && undiscoverable(known?.features)),
      ...(tickerStream !== undefined && { tickerStream: { path: tickerStream } }),
      ...(bookStream !== undefined && { bookStream: { path: bookStream } }),
      ...(privateStream && { privateStream }),
    },
  };
}

/** The features that only the exchange's documentation states. */
function undiscoverable({ clientOrderId, postOnly, historyAmountOfBuys }: Features = {}): Features {
  return {
    ...(clientOrderId && { clientOrderId }),
    ...(postOnly !== undefined && { postOnly }),
    ...(historyAmountOfBuys && { historyAmountOfBuys }),
  };
}
