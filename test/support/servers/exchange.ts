import { specPaths } from "../../../src/exchange/paths.ts";
import type { SpecEndpoint } from "../../../src/exchange/endpoints.ts";
import { serveHttp, type Answer, type LoopbackServer, type SeenRequest } from "./loopback.ts";

type Endpoint = SpecEndpoint;

/** The path of candles, for a profile; there are none unless the test answers. */
export const HISTORY_PATH = "/history";

/** A service in which every endpoint responds correctly until the test configures another response. */
export interface TestExchange extends LoopbackServer {
  readonly answers: Partial<Record<Endpoint | "history", Answer>>;
  /** Requests received by one endpoint. */
  seenOf(endpoint: Endpoint): SeenRequest[];
}

/** One pair, THB_BTC, last price 100; a million THB; every bid accepted as order 1. */
const usual: Readonly<Record<Endpoint, () => string>> = {
  serverTime: () => String(Date.now()),
  tickers: () => '{"error":0,"result":{"THB_BTC":{"last":100}}}',
  wallet: () => '{"error":0,"result":{"THB":1000000}}',
  placeBid: () => '{"error":0,"result":{"id":"1"}}',
};

const endpoints = Object.entries(specPaths) as [Endpoint, string][];

function endpointOf(path: string): Endpoint | undefined {
  return endpoints.find(([, each]) => each === path)?.[0];
}

export async function serveExchange(answers: TestExchange["answers"] = {}): Promise<TestExchange> {
  const server = await serveHttp((request, response, nth) => {
    if (answers.history && request.path.startsWith(`${HISTORY_PATH}?`))
      return answers.history(request, response, nth);
    const endpoint = endpointOf(request.path);
    if (!endpoint) return void response.writeHead(404).end();
    const answer = answers[endpoint];
    return answer ? answer(request, response, nth) : void response.end(usual[endpoint]());
  });
  const seenOf = (endpoint: Endpoint): SeenRequest[] =>
    server.seen.filter(({ path }) => path === specPaths[endpoint]);
  return { ...server, answers, seenOf };
}
