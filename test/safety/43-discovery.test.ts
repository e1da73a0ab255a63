import assert from "node:assert/strict";
import {
  discoverExchange,
  discoverExchangeAccount,
  type DiscoveryPorts,
} from "../../src/exchange/discovery/discovery.ts";
import { discoveredProfile } from "../../src/exchange/discovery/discoveredProfile.ts";
import { TransportError, type TransportFailure } from "../../src/http/errors.ts";
import type { HttpRequest, HttpResponse } from "../../src/http/transport.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const KEY = "canary-key-of-discovery";
const SECRET = "canary-secret-of-discovery";
/** Paths that change an account. */
const CHANGES = /place|cancel|reset|withdraw/;
const ASSETS = ["BTC", "ETH", "XRP", "THB", "USDT", "EUR"] as const;
const PAIRS = [
  ["THB", "BTC"],
  ["THB", "ETH"],
  ["USDT", "BTC"],
  ["EUR", "BTC"],
] as const;

/** A service that answers each path in a way of its own, often a wrong one. */
class HostileService {
  readonly #random: Random;
  readonly #answers = new Map<string, () => HttpResponse>();
  /** The order of the assets in its tickers. */
  readonly isBaseFirst: boolean;
  /** Whether its list of symbols names base and quote. */
  readonly #isExplicit: boolean;
  readonly requests: HttpRequest[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.isBaseFirst = random() < 0.5;
    this.#isExplicit = random() < 0.5;
  }

  answer(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    const { label, url } = request;
    const fail = (failure: TransportFailure) => Promise.reject(new TransportError(label, failure, "planted"));
    const chance = this.#random();
    if (chance < 0.03) return fail({ kind: "noAnswer", reason: "timeout" });
    if (chance < 0.05) return fail({ kind: "unreadable", reason: "redirect", status: 302 });
    if (chance < 0.055) return fail({ kind: "notSent", reason: "unreachable" });
    const known = this.#answers.get(url.pathname) ?? this.#invent(url.pathname);
    this.#answers.set(url.pathname, known);
    return Promise.resolve(known());
  }

  /** Whether the response at this path names base and quote. */
  isExplicitAt(path: string | undefined): boolean {
    return path !== undefined && this.#answers.get(path)?.().body.includes("base_asset") === true;
  }

  #invent(path: string): () => HttpResponse {
    const random = this.#random;
    const name = path.split("/").at(-1) ?? "";
    const symbol = (quote: string, base: string): string =>
      this.isBaseFirst ? `${base}_${quote}` : `${quote}_${base}`;
    const right: Record<string, () => unknown> = {
      servertime: () => pick(random, [{ error: 0, result: 1_800_000_000 }, 1_800_000_000_000]),
      ticker: () => PAIRS.map(([quote, base]) => ({ symbol: symbol(quote, base), last: "10" })),
      symbols: () => ({
        error: 0,
        result: PAIRS.map(([quote, base]) => ({
          symbol: `${base}_${quote}`,
          ...(this.#isExplicit && { base_asset: base, quote_asset: quote }),
          pairing_id: 1,
        })),
      }),
      depth: () => ({ error: 0, result: { asks: [[11, 1]], bids: [[9, 1]] } }),
      trades: () => ({ error: 0, result: [[1_700_000_000, 10, 1, "BUY"]] }),
      history: () => ({ s: "ok", t: [1_700_000_000], o: [1], h: [1], l: [1], c: [1], v: [1] }),
      wallet: () => ({ error: 0, result: { THB: 1 } }),
      balances: () => ({ error: 0, result: { THB: { available: 1, reserved: 0 } } }),
      "my-open-orders": () => ({ error: 0, result: [] }),
      "my-order-history": () => ({ error: 0, result: [], pagination: {} }),
      "order-info": () => ({ error: 24 }),
    };
    const shape = random();
    const json = (status: number, body: unknown) => (): HttpResponse => ({
      status,
      retryAfter: undefined,
      body: Buffer.from(JSON.stringify(body)),
    });
    const usual = right[name];
    if (shape < 0.6 && usual) return json(200, usual());
    if (shape < 0.7) return json(404, { error: 404, message: "Not Found" });
    if (shape < 0.74)
      return json(200, {
        error: pick(random, [2, 3, 5, 6, 8, 18, 52, 90]),
        message: `Missing X-${pick(random, ASSETS)}-APIKEY`,
      });
    if (shape < 0.76) return json(429, {});
    if (shape < 0.86) {
      const page = pick(random, [
        "<html>hello</html>",
        "",
        "null",
        "[]",
        "{}",
        '{"error":0}',
        "9".repeat(400),
        '{"result":'.repeat(200),
      ]);
      return () => ({
        status: pick(random, [200, 403, 451, 502]),
        retryAfter: undefined,
        body: Buffer.from(page),
      });
    }
    // The answer of another endpoint.
    return json(200, pick(random, Object.values(right))());
  }
}

describe("a discovery of a hostile service", () => {
  safetyLine(
    43,
    "Signs nothing before consent, contacts no other origin, changes nothing, and never swaps a base and a quote that the exchange names",
    async (proof) => {
      const counts = { requests: 0, signed: 0, found: 0, explicit: 0 };
      const services = await proof.each(10_000, async ({ random }) => {
        const service = new HostileService(random);
        const base = new URL("https://api.example.com");
        const ports: DiscoveryPorts = {
          transport: (request) => service.answer(request),
          openSocket: (url, events) => {
            assert.equal(url.host, base.host);
            const isSilent = random() < 0.5;
            queueMicrotask(() =>
              isSilent
                ? events.ended({ reason: "silent", detail: "" })
                : events.frame('{"stream":"market.ticker.thb_btc"}'),
            );
            const nothing = (): void => undefined;
            return { send: nothing, ping: nothing, close: nothing };
          },
          // Every wait is over once what is decided has happened.
          after: (_ms, task) => {
            const soon = setImmediate(task);
            return () => clearImmediate(soon);
          },
          now: () => 1_800_000_000_000,
          headers: {},
        };
        const found = await discoverExchange([base], ports);
        check(service.requests, base, false);
        counts.requests += service.requests.length;
        if ("error" in found) return;
        counts.found += 1;
        if (service.isExplicitAt(found.features.symbols?.path)) {
          counts.explicit += 1;
          assert.equal(found.tickers.symbolOrder, service.isBaseFirst ? "baseFirst" : "quoteFirst");
        }
        const before = service.requests.length;
        const pair = { apiKey: new Secret(KEY), apiSecret: new Secret(SECRET) };
        const signing = { profile: { headerPrefix: "X-OWN-" }, credentials: () => Promise.resolve(pair) };
        const account = await discoverExchangeAccount(found, signing, ports);
        const later = service.requests.slice(before);
        check(later, base, true);
        counts.requests += later.length;
        counts.signed += later.filter(({ headers }) => "X-OWN-SIGN" in headers).length;
        const draft = discoveredProfile(found, account, { headerPrefix: "X-OWN-" });
        const profile = readProfile(draft);
        assert.ok(!Array.isArray(profile), JSON.stringify(profile));
        assert.ok(!JSON.stringify(draft).includes("canary"));
      });
      return `${services} services, ${counts.requests} requests, ${counts.signed} of them signed, after consent and to their origin; ${counts.found} found, ${counts.explicit} that name base and quote, 0 of them swapped; 0 changes of an account`;
    },
  );
});

function check(requests: readonly HttpRequest[], base: URL, isSigned: boolean): void {
  // Two more measure the clock.
  assert.ok(requests.length <= 32, `${requests.length} requests`);
  for (const { method, url, headers, body } of requests) {
    assert.equal(url.origin, base.origin);
    assert.doesNotMatch(url.pathname, CHANGES);
    assert.ok(!url.href.includes("canary"));
    const signs = Object.keys(headers).some((name) => name.endsWith("-SIGN"));
    if (!isSigned) assert.ok(!signs && method === "GET" && body === undefined);
    assert.ok(!JSON.stringify(headers).includes(SECRET));
  }
}
