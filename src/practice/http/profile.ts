import { STREAM_PATHS, streamKinds } from "../stream/address.ts";
import { routesOf, type Api, type PracticeEndpoint } from "./routes.ts";
import { HEADER_PREFIX, TIMESTAMP_WINDOW_MS } from "./signatureCheck.ts";

/** A profile file of this exchange, as described in `docs/adding-an-exchange.md`. Contains no key. */
export interface PracticeProfile {
  readonly bidsideProfile: 1;
  readonly name: string;
  readonly baseUrl: string;
  readonly headerPrefix: string;
  readonly paths?: Readonly<Record<string, string>>;
  readonly walletMethod: "GET" | "POST";
  readonly symbolOrder: "quoteFirst" | "baseFirst";
  readonly historyPath: string;
  readonly features: Readonly<Record<string, unknown>>;
}

/** Histories of this family name pairs in the opposite order. */
const HISTORY_PATH = "/tradingview/history?symbol={base}_{quote}";

/** The profile of a practice exchange at this address, with all its capabilities. */
export function practiceProfile(baseUrl: string, api: Api = "spec"): PracticeProfile {
  const common = { bidsideProfile: 1, baseUrl, headerPrefix: HEADER_PREFIX } as const;
  const features = {
    ...capabilitiesOf(api),
    postOnly: true,
    ...Object.fromEntries(streamKinds.map((kind) => [`${kind}Stream`, { path: STREAM_PATHS[kind] }])),
  };
  if (api === "spec")
    return {
      ...common,
      name: "Practice",
      walletMethod: "GET",
      symbolOrder: "quoteFirst",
      historyPath: HISTORY_PATH,
      features: {
        ...features,
        clientOrderId: { duplicates: "accepted", windowMs: TIMESTAMP_WINDOW_MS },
        historyAmountOfBuys: "base",
      },
    };
  return {
    ...common,
    name: "Practice, as services are today",
    paths: {
      serverTime: "/api/v3/servertime",
      tickers: "/api/v3/market/ticker",
      wallet: "/api/v3/market/wallet",
      placeBid: "/api/v3/market/place-bid",
    },
    walletMethod: "POST",
    symbolOrder: "baseFirst",
    historyPath: "/tradingview/history",
    features: {
      ...features,
      clientOrderId: { duplicates: "unknown" },
      historyAmountOfBuys: "quote",
    },
  };
}

/** Endpoints that are not capabilities: a profile describes them elsewhere, if at all. */
const BASIC: ReadonlySet<PracticeEndpoint> = new Set([
  "serverTime",
  "tickers",
  "wallet",
  "placeBid",
  "history",
  "reset",
]);

function capabilitiesOf(api: Api): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Array.from(routesOf[api])
      .filter(([, { endpoint }]) => !BASIC.has(endpoint))
      .map(
        ([
          path,
          {
            endpoint,
            methods: [method],
            generation,
          },
        ]) => [
          endpoint,
          generation === "A"
            ? { method, path, symbolOrder: "quoteFirst", envelope: generation }
            : { method, path, symbolOrder: "baseFirst", symbolCase: "lower", envelope: generation },
        ],
      ),
  );
}
