import { createHmac } from "node:crypto";
import { Agent } from "node:http";
import { createClient } from "../../src/exchange/client.ts";
import { specPaths } from "../../src/exchange/paths.ts";
import { encodeOrder } from "../../src/exchange/wire/account.ts";
import { priceText } from "../../src/market/numbers/decimal.ts";
import { testBid, testCredentials, testProfile } from "../support/builders/client.ts";
import { against, median, ratioFigure, type Figure } from "./measure.ts";
import { post } from "./post.ts";
import { startServer } from "./servers.ts";

/** Enough time for a connection over loopback. */
const READING_MS = 3;

/** Parts of a run, each with a server process of its own: the ratios of two of them may differ by a fifth. */
const PARTS = 9;

/** One bid through the client. The floor is a bare POST of the same bytes to the same server. */
export async function placingFigures(): Promise<Figure[]> {
  const parts: Awaited<ReturnType<typeof placingPart>>[] = [];
  for (let part = 0; part < PARTS; part += 1) parts.push(await placingPart());
  return [
    ratioFigure(
      "placeBid",
      "placeBid over loopback (floor: bare POST, also on a connection of its own)",
      middleOf(parts.map(({ own }) => own)),
      1.5,
    ),
    ratioFigure(
      "placeBid prepared",
      "placeBid over loopback, connection prepared (floor: bare POST on one kept connection)",
      middleOf(parts.map(({ prepared }) => prepared)),
      1.5,
    ),
  ];
}

/** The part with the median ratio. */
function middleOf<Part extends { readonly ratio: number }>(parts: readonly Part[]): Part {
  const [middle] = parts.toSorted((one, other) => one.ratio - other.ratio).slice(PARTS >> 1);
  if (!middle) throw new Error("Nothing was measured.");
  return middle;
}

async function placingPart() {
  const server = await startServer("test/bench/constantServer.mjs");
  const kept = new Agent({ keepAlive: true });
  try {
    const { baseUrl = "" } = server.hello;
    const client = createClient({
      profile: testProfile(baseUrl),
      credentials: () => Promise.resolve(testCredentials),
      now: Date.now,
    });
    const bid = testBid();
    const body = encodeOrder(bid);
    const url = baseUrl + specPaths.placeBid;
    const headers = { "Content-Type": "application/json", "Content-Length": body.length };
    // A bid comes alone. Without a pause, each task would pay for the end of the connection before it.
    const size = { rounds: 150, times: 1, pauseMs: 1 };
    const own = await against(
      () => client.placeOrder(bid),
      () => post(url, body, { headers, agent: false }),
      size,
    );
    const prepared = await against(
      {
        before: async () => {
          const way = client.prepareOrder("buy");
          await new Promise((resolve) => setTimeout(resolve, READING_MS));
          return way;
        },
        run: (way) => client.placeOrder(bid, undefined, way),
      },
      () => post(url, body, { headers, agent: kept }),
      { ...size, pauseMs: 1 + READING_MS },
    );
    return { own, prepared };
  } finally {
    kept.destroy();
    await server.stop();
  }
}

const BIDS = 1000;
const ROUNDS = 31;
const AT_ONCE = 16;

/** Signed bids per second of the practice exchange. The floor is a bare server that answers a constant. */
export async function practiceFigures(): Promise<Figure[]> {
  const constant = await startServer("test/bench/constantServer.mjs");
  const practice = await startServer("src/practice/cli.ts", "--port", "0");
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    const { baseUrl = "", apiKey = "", apiSecret = "" } = practice.hello;
    const market = (await (await fetch(baseUrl + specPaths.tickers)).json()) as {
      result: Record<string, { last: number }>;
    };
    const last = market.result["THB_BTC"]?.last ?? 0;
    const body = encodeOrder(testBid("10", priceText(Math.ceil(last * 1.05))));
    const perSecond = async (server: string): Promise<number> => {
      const requests = Array.from({ length: BIDS }, (_, index) => {
        const timestamp = String(Date.now() + index);
        const sign = createHmac("sha256", apiSecret)
          .update(`${timestamp}POST${specPaths.placeBid}`)
          .update(body)
          .digest("hex");
        return {
          "X-SVC-APIKEY": apiKey,
          "X-SVC-TIMESTAMP": timestamp,
          "X-SVC-SIGN": sign,
          "Content-Length": body.length,
        };
      });
      const start = performance.now();
      const worker = async (): Promise<void> => {
        for (let headers = requests.pop(); headers; headers = requests.pop()) {
          const answer = await post(server + specPaths.placeBid, body, { headers, agent });
          if (!answer.startsWith('{"error":0')) throw new Error(`a bid was refused: ${answer}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return (BIDS * 1000) / (performance.now() - start);
    };
    const rounds: { readonly ours: number; readonly floor: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const ours = await perSecond(baseUrl);
      const floor = await perSecond(constant.hello["baseUrl"] ?? "");
      if (round >= 0) rounds.push({ ours, floor });
    }
    const ours = median(rounds.map((round) => round.ours));
    const floor = median(rounds.map((round) => round.floor));
    const ratio = median(rounds.map((round) => round.ours / round.floor));
    return [
      {
        name: "practice bids",
        what: "practice: signed bids per second (floor: bare node:http answering a constant)",
        measured: `${ours.toFixed(0)}/s`,
        floor: `${floor.toFixed(0)}/s`,
        result: `${ratio.toFixed(2)} ×`,
        value: ratio,
        target: "≥ 0.3 ×",
        met: ratio >= 0.3,
      },
    ];
  } finally {
    agent.destroy();
    await practice.stop();
    await constant.stop();
  }
}
