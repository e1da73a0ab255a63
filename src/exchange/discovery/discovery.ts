import { UnreadableAnswerError } from "../errors.ts";
import type { After } from "../http/after.ts";
import { createTransport, type Transport } from "../http/transport.ts";
import type { ServiceProfile } from "../profile.ts";
import { RequestSigner, type SignerOptions } from "../signedRequest.ts";
import { ServerClock } from "../signing/serverClock.ts";
import { openWebSocket, type OpenSocket } from "../stream/socket.ts";
import { decodeServerTime } from "../wire/account.ts";
import { discoverAccount, type AccountDiscovery, type AccountPart } from "./accountDiscovery.ts";
import { pathUnder } from "./paths.ts";
import {
  discoverPublic,
  type NothingFound,
  type PublicDiscovery,
  type PublicPart,
} from "./publicDiscovery.ts";
import { DiscoveryRequests } from "./requests.ts";

export interface DiscoveryPorts {
  /** Follows no redirects and gives up after 5 s: a path that answers later is of no use. */
  readonly transport: Transport;
  readonly openSocket: OpenSocket;
  readonly after: After;
  /** Local clock, ms since the epoch. */
  readonly now: () => number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** False ends the discovery: the user left. */
  readonly mayContinue?: () => boolean;
}

/** The ports of a discovery over the network. */
export function discoveryPorts(given: {
  readonly userAgent: string;
  readonly now: () => number;
  readonly after: After;
}): DiscoveryPorts {
  const { userAgent, now, after } = given;
  const name = { "User-Agent": userAgent };
  return {
    transport: createTransport({ timeoutMs: REQUEST_MS, after }),
    openSocket: (url, events) => openWebSocket(url, events, name),
    after,
    now,
    headers: { Accept: "application/json", "Content-Type": "application/json", ...name },
  };
}

const REQUEST_MS = 5000;
const MOST_PUBLIC_REQUESTS = 30;
const MOST_SIGNED_REQUESTS = 30;

/** What an exchange offers without a key: see `discoverPublic`. At most 30 requests; the paths of `known` are tried first. */
export function discoverExchange(
  bases: readonly URL[],
  ports: DiscoveryPorts,
  onPart?: (part: PublicPart, isFound: boolean) => void,
  known?: ServiceProfile,
): Promise<PublicDiscovery | NothingFound> {
  const requests = new DiscoveryRequests({ ...ports, most: MOST_PUBLIC_REQUESTS });
  return discoverPublic(bases, { ...ports, requests, ...(onPart && { onPart }), ...(known && { known }) });
}

/**
 * What the same exchange offers to the owner of a key: see `discoverAccount`. Signed requests go to the base URL that was
 * found and nowhere else, at most 30 of them, by the exchange's own clock. The paths of `known` are
 * tried first.
 */
export async function discoverExchangeAccount(
  found: PublicDiscovery,
  signing: SignerOptions,
  ports: DiscoveryPorts,
  onPart?: (part: AccountPart, isFound: boolean) => void,
  known?: ServiceProfile,
): Promise<AccountDiscovery> {
  const { baseUrl, serverTime, tickers, features } = found;
  const unsigned = new DiscoveryRequests({ ...ports, most: 2 });
  const clock = new ServerClock({
    now: ports.now,
    measure: async () => {
      const url = pathUnder(baseUrl, serverTime ?? "/api/servertime");
      const reply = await unsigned.ask({ endpoint: "serverTime", method: "GET", url });
      if (!reply.ok) throw reply.error;
      const time = decodeServerTime(reply.payload);
      if (!time) throw new UnreadableAnswerError("serverTime", "shape", reply.payload.status, "no time");
      return time;
    },
  });
  const signer = new RequestSigner(signing, clock);
  const requests = new DiscoveryRequests({
    ...ports,
    most: MOST_SIGNED_REQUESTS,
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
