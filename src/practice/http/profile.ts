import { STREAM_PATHS } from "../stream/address.ts";
import { offeredRoutes } from "./routes.ts";
import { HEADER_PREFIX, TIMESTAMP_WINDOW_MS } from "./signatureCheck.ts";
import { defaultSwitches, type Switches } from "./switches.ts";

/** A profile file of this exchange, as `docs/adding-an-exchange.md` describes profile files. It has no key. */
export interface PracticeProfile {
  readonly bidsideProfile: 1;
  readonly name: string;
  readonly baseUrl: string;
  readonly headerPrefix: string;
  readonly walletMethod: "GET";
  readonly symbolOrder: "quoteFirst";
  readonly historyPath: string;
  readonly features: Readonly<Record<string, unknown>>;
}

/** Histories of this family name pairs in the opposite order. */
const HISTORY_PATH = "/tradingview/history?symbol={base}_{quote}";

/** The profile of an exchange at this address, with all that it offers. */
export function practiceProfile(
  baseUrl: string,
  switches: Readonly<Switches> = defaultSwitches,
): PracticeProfile {
  return {
    bidsideProfile: 1,
    name: "Practice",
    baseUrl,
    headerPrefix: HEADER_PREFIX,
    walletMethod: "GET",
    symbolOrder: "quoteFirst",
    historyPath: HISTORY_PATH,
    features: featuresOf(switches),
  };
}

function featuresOf({
  generations,
  clientIds,
  duplicates,
  streams,
}: Readonly<Switches>): Readonly<Record<string, unknown>> {
  const offered = offeredRoutes(generations);
  const capabilities = Array.from(offered, ([endpoint, { path, methods, generation }]) => [
    endpoint,
    {
      method: methods[0],
      path,
      symbolOrder: generation === "A" ? "quoteFirst" : "baseFirst",
      envelope: generation,
    },
  ]);
  const streamed = streams.map((kind) => [`${kind}Stream`, { path: STREAM_PATHS[kind] }] as const);
  if (offered.size === 0) return Object.fromEntries(streamed);
  return {
    ...(Object.fromEntries(capabilities) as Record<string, unknown>),
    ...(clientIds !== "dropped" && { clientOrderId: { duplicates, windowMs: TIMESTAMP_WINDOW_MS } }),
    postOnly: true,
    historyAmountOfBuys: offered.get("orderHistory")?.generation === "A" ? "base" : "quote",
    ...Object.fromEntries(streamed),
  };
}
