import { createClient, type ExchangeClient } from "../../../src/exchange/client.ts";
import { TransportError } from "../../../src/http/errors.ts";
import type { Endpoint } from "../../../src/exchange/endpoints.ts";
import { noFeatures, type Features } from "../../../src/exchange/features.ts";
import type { HttpResponse, HttpRequest } from "../../../src/http/transport.ts";
import type { WalletMethod } from "../../../src/exchange/profile.ts";
import type { RateLimits } from "../../../src/exchange/rateLimits.ts";
import { type Credentials } from "../../../src/exchange/signing/credentials.ts";
import { testCredentials, testProfile } from "./client.ts";

export const START = 1_700_000_000_000;

export type Reply = (request: HttpRequest, nth: number) => Partial<HttpResponse> & { text?: string };

export interface Bench {
  readonly client: ExchangeClient;
  readonly state: {
    now: number;
    serverOffset: number;
    pair: Credentials | undefined | Promise<Credentials>;
    reply: Reply;
  };
  /** Requests by endpoint, as "METHOD timestamp". */
  sent(endpoint: Endpoint): string[];
  readonly requests: readonly HttpRequest[];
  readonly lines: string[];
}

/** A client on fake timers, with an in-memory transport. The server time is correct unless `reply` replaces it. */
export function setUp(
  reply: Reply = () => ({}),
  {
    walletMethod = "auto",
    features = noFeatures,
    ...options
  }: {
    walletMethod?: WalletMethod;
    features?: Features;
    credentialsMs?: number;
    rateLimits?: RateLimits;
  } = {},
): Bench {
  const state: Bench["state"] = { now: START, serverOffset: 0, pair: testCredentials, reply };
  const requests: HttpRequest[] = [];
  const lines: string[] = [];
  const record = (line: string): void => void lines.push(line);
  const client = createClient({
    profile: testProfile("https://exchange.example", { walletMethod, features }),
    credentials: () => Promise.resolve(state.pair),
    ...options,
    now: () => state.now,
    log: { debug: record, warn: record },
    readWaitsMs: [0, 0],
    transport: async (request) => {
      if (request.mayStillSend?.() === false)
        throw new TransportError(request.label, { kind: "notSent", reason: "tooLate" }, "");
      requests.push(request);
      const nth = requests.filter(({ label }) => label === request.label).length;
      const usual =
        request.label === "serverTime" ? String(state.now + state.serverOffset) : '{"error":0,"result":{}}';
      const { text = usual, status = 200, retryAfter, date } = state.reply(request, nth);
      return { status, retryAfter, date, body: Buffer.from(text) };
    },
  });
  const sent = (endpoint: Endpoint): string[] =>
    requests
      .filter((request) => request.label === endpoint)
      .map(({ method, headers }) => `${method} ${headers["X-SVC-TIMESTAMP"] ?? ""}`.trim());
  return { client, state, sent, requests, lines };
}

export function onlyFor(endpoint: Endpoint, reply: Reply): Reply {
  return (request, nth) => (request.label === endpoint ? reply(request, nth) : {});
}

export function throwing(error: Error): never {
  throw error;
}
