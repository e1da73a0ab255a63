import { callOf } from "../call.ts";
import { unknownShape } from "../errors.ts";
import { routeIn } from "../paths.ts";
import type { After } from "../../time/timers.ts";
import { createTransport, type Transport } from "../../http/transport.ts";
import type { ServiceProfile } from "../profile.ts";
import { RequestSigner, type SignerOptions } from "../signedRequest.ts";
import { ServerClock } from "../signing/serverClock.ts";
import { openWebSocket, type OpenSocket } from "../stream/socket.ts";
import { decodeServerTime } from "../wire/account.ts";
import { discoverAccount, type AccountDiscovery, type AccountPart } from "./accountDiscovery.ts";
import {
  discoverPublic,
  type NothingFound,
  type PublicDiscovery,
  type PublicPart,
} from "./publicDiscovery.ts";
import { DiscoveryRequests } from "./requests.ts";

export interface DiscoveryPorts {
  /** Rejects redirects. Times out after 5 s: an endpoint slower than that is useless. */
  readonly transport: Transport;
  readonly openSocket: OpenSocket;
  readonly after: After;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** False ends the discovery: the user has left. */
  readonly mayContinue?: () => boolean;
}

/** Ports that use the network. */
export function discoveryPorts(options: {
  readonly userAgent: string;
  readonly now: () => number;
  readonly after: After;
}): DiscoveryPorts {
  const { userAgent, now, after } = options;
  const identity = { "User-Agent": userAgent };
  return {
    transport: createTransport({ timeoutMs: REQUEST_MS, after }),
    openSocket: (url, events) => openWebSocket(url, events, identity),
    after,
    now,
    headers: { Accept: "application/json", "Content-Type": "application/json", ...identity },
  };
}

const REQUEST_MS = 5000;
const MAX_PUBLIC_REQUESTS = 30;
const MAX_SIGNED_REQUESTS = 30;

/** Discovers the public API with at most 30 requests: see `discoverPublic`. Tries the paths of `known` first. */
export function discoverExchange(
  bases: readonly URL[],
  ports: DiscoveryPorts,
  onPart?: (part: PublicPart, isFound: boolean) => void,
  known?: ServiceProfile,
): Promise<PublicDiscovery | NothingFound> {
  const requests = new DiscoveryRequests({ ...ports, maxRequests: MAX_PUBLIC_REQUESTS });
  return discoverPublic(bases, { ...ports, requests, ...(onPart && { onPart }), ...(known && { known }) });
}

/**
 * Discovers the private API of the same exchange: see `discoverAccount`. At most 30 signed requests, only to the discovered
 * base URL, with timestamps of the exchange's clock. Tries the paths of `known` first.
 */
export async function discoverExchangeAccount(
  found: PublicDiscovery,
  signing: SignerOptions,
  ports: DiscoveryPorts,
  onPart?: (part: AccountPart, isFound: boolean) => void,
  known?: ServiceProfile,
): Promise<AccountDiscovery> {
  const { baseUrl, serverTime, tickers, features } = found;
  const unsigned = new DiscoveryRequests({ ...ports, maxRequests: 2 });
  const clock = new ServerClock({
    now: ports.now,
    measure: async () => {
      const route = { ...routeIn("A", "serverTime"), ...(serverTime !== undefined && { path: serverTime }) };
      const response = await unsigned.send(callOf("serverTime", baseUrl, route));
      if (!response.ok) throw response.error;
      const time = decodeServerTime(response.payload);
      if (time === undefined) throw unknownShape("serverTime", response.payload.status);
      return time;
    },
  });
  const signer = new RequestSigner(signing, clock);
  const requests = new DiscoveryRequests({
    ...ports,
    maxRequests: MAX_SIGNED_REQUESTS,
    sign: async (request) => (await signer.sign(request)).headers,
  });
  return await discoverAccount(baseUrl, {
    requests,
    now: ports.now,
    sample: tickers.sample,
    forms: [...(features.depth ? [features.depth] : []), tickers],
    ...(onPart && { onPart }),
    ...(known && { known }),
  });
}
