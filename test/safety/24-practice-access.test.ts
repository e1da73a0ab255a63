import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicTimers } from "../../src/time/timers.ts";
import { openPractice, type EmbeddedPractice } from "../../src/practice/embedded.ts";
import { RESET_PATH } from "../../src/practice/http/routes.ts";
import { startPractice } from "../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import {
  bidBody,
  getWallet,
  postBid,
  send,
  signedHeaders,
  testPair,
} from "../support/builders/practiceRequest.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const PLACE_BID = "/api/market/place-bid";
const OTHER_PATHS = ["/api/servertime", "/api/market/ticker", "/api/market/wallet"];

/** Private reads in the oldest shape. */
const OWNERS_READS = ["my-open-orders", "my-order-history", "order-info", "balances"].map(
  (name) => `/api/market/${name}`,
);

/** Errors of a request without or with another key, without signature, or at another time (api.md 7). */
const AUTH_ERRORS: ReadonlySet<unknown> = new Set([2, 3, 6, 8]);

/** A request with its headers as they are sent: a name may occur twice. */
interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

interface Wall {
  readonly random: Random;
  readonly port: number;
  /** A change or a read of the account as the key's owner sends it: signed, to the exchange's own address. */
  readonly own: WireRequest;
  /** The headers of a signature over something else. */
  sign(changes: {
    method?: string;
    path?: string;
    body?: string;
    timestamp?: number | string;
    key?: string;
    secret?: string;
  }): WireRequest["headers"];
}

function without(request: WireRequest, ...names: string[]): WireRequest {
  const left = new Set(names.map((name) => name.toLowerCase()));
  return { ...request, headers: request.headers.filter(([name]) => !left.has(name.toLowerCase())) };
}

/** The request with these headers in place of those of the same names. */
function replaced(request: WireRequest, ...headers: (readonly [string, string])[]): WireRequest {
  const rest = without(request, ...headers.map(([name]) => name));
  return { ...rest, headers: [...rest.headers, ...headers] };
}

function foreignHost({ random, port }: Wall): string {
  const name = Math.floor(random() * 36 ** 6).toString(36);
  const other = (port + 1 + Math.floor(random() * 60_000)) % 65_536;
  return pick(random, [
    `${name}.example`,
    `${name}.example:${port}`,
    `127.0.0.1:${port}.${name}.example`,
    `localhost.${name}.example:${port}`,
    `${name}.localhost:${port}`,
    `127.0.0.1:${port}@${name}.example`,
    `127.0.0.1`,
    "localhost",
    `127.0.0.1:${other}`,
    `localhost:${other}`,
    `127.0.0.${2 + Math.floor(random() * 250)}:${port}`,
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `localhost.:${port}`,
    `127.0.0.1:${port},${name}.example`,
    `127.0.0.1:0${port}`,
    "",
  ]);
}

function foreignOrigin(wall: Wall): string {
  const { random, port } = wall;
  return pick(random, [
    "null",
    "",
    "*",
    `http://${foreignHost(wall)}`,
    `https://${foreignHost(wall)}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port} http://evil.example`,
    `http://evil@127.0.0.1:${port}`,
    `vscode-webview://${Math.floor(random() * 1e9)}`,
    `file://`,
    `//127.0.0.1:${port}`,
    `127.0.0.1:${port}`,
  ]);
}

/** Any of the exchange's own requests, including the bid. */
function anyOf({ random, own }: Wall): WireRequest {
  return random() < 0.7 ? own : { ...own, method: "GET", target: pick(random, OTHER_PATHS), body: "" };
}

/** Requests with a correct signature, but to another host name or from another page. */
const foreign: Readonly<Record<string, (wall: Wall) => WireRequest>> = {
  "a foreign Host": (wall) => replaced(anyOf(wall), ["Host", foreignHost(wall)]),
  "no Host": (wall) => without(anyOf(wall), "Host"),
  "a foreign Host beside the own": (wall) => {
    const hosts = [`127.0.0.1:${wall.port}`, foreignHost(wall)];
    if (wall.random() < 0.5) hosts.reverse();
    return replaced(anyOf(wall), ...hosts.map((host) => ["Host", host] as const));
  },
  "a foreign Host with the own as forwarded": (wall) =>
    replaced(
      anyOf(wall),
      ["Host", foreignHost(wall)],
      ["X-Forwarded-Host", `127.0.0.1:${wall.port}`],
      ["Forwarded", `host=127.0.0.1:${wall.port}`],
    ),
  "a foreign Origin": (wall) => replaced(anyOf(wall), ["Origin", foreignOrigin(wall)]),
  "a foreign Origin beside the own": (wall) => {
    const origins = [`http://127.0.0.1:${wall.port}`, foreignOrigin(wall)];
    if (wall.random() < 0.5) origins.reverse();
    return replaced(anyOf(wall), ...origins.map((origin) => ["Origin", origin] as const));
  },
  "a page of another site": (wall) =>
    replaced(anyOf(wall), ["Sec-Fetch-Site", pick(wall.random, ["cross-site", "same-site", "", "None"])]),
  "a target on a foreign host": (wall) => {
    const request = anyOf(wall);
    return { ...request, target: `http://${foreignHost(wall) || "evil.example"}${request.target}` };
  },
  "an own request inside a foreign one": (wall) =>
    replaced({ ...wall.own, body: textOf(wall.own) }, ["Host", foreignHost(wall)]),
};

/** Requests to the exchange's own name, but not signed by the owner of the key. */
const unsigned: Readonly<Record<string, (wall: Wall) => WireRequest>> = {
  "no signature at all": ({ own }) => without(own, "X-SVC-APIKEY", "X-SVC-TIMESTAMP", "X-SVC-SIGN"),
  "one header missing": ({ random, own }) =>
    without(own, pick(random, ["X-SVC-APIKEY", "X-SVC-TIMESTAMP", "X-SVC-SIGN"])),
  "another key": ({ random, own, sign }) =>
    replaced(own, ...sign({ key: pick(random, ["other-key", "", "undefined", "null", "0", "*"]) })),
  "another secret": ({ random, own, sign }) =>
    replaced(own, ...sign({ secret: pick(random, ["other-secret", "x", "undefined"]) })),
  "a made-up signature": ({ random, own }) => {
    const hex = Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join("");
    return replaced(own, ["X-SVC-SIGN", pick(random, [hex, "", "0".repeat(64), hex.slice(1), `${hex}0`])]);
  },
  "the signature of another body": ({ own, sign }) =>
    replaced(own, ...sign({ body: bidBody("THB_BTC", 10, 1) })),
  "the signature of no body": ({ own, sign }) => replaced(own, ...sign({ body: "" })),
  "the signature of another path": ({ random, own, sign }) =>
    replaced(own, ...sign({ path: pick(random, [...OTHER_PATHS, `${PLACE_BID}?`, `${PLACE_BID}/`, ""]) })),
  "the signature of another method": ({ random, own, sign }) =>
    replaced(own, ...sign({ method: pick(random, ["GET", "post", "PUT", ""]) })),
  "the signature of another path's query": ({ own }) => ({ ...own, target: `${PLACE_BID}?again=1` }),
  "a body changed on its way": ({ random, own }) => ({
    ...own,
    body: own.body.replace(/\d/, pick(random, ["7", " 1", "0"])) + " ",
  }),
  "a time of another signature": ({ random, own }) =>
    replaced(own, ["X-SVC-TIMESTAMP", String(Date.now() + 1 + Math.floor(random() * 1000))]),
  "a time long past or to come": ({ random, own, sign }) => {
    const away = 40_000 + Math.floor(random() * 86_400_000);
    return replaced(own, ...sign({ timestamp: Date.now() + pick(random, [away, -away]) }));
  },
  "a time that is none": ({ random, own, sign }) => {
    const now = Date.now();
    return replaced(
      own,
      ...sign({
        timestamp: pick(random, [Math.floor(now / 1000), `${now}.0`, `+${now}`, "now", "", "1e13"]),
      }),
    );
  },
  "two keys": ({ own, sign }) => ({
    ...own,
    headers: [...own.headers, ...sign({ key: "other-key" }).slice(0, 1)],
  }),
  "two signatures": ({ own, sign }) => ({
    ...own,
    headers: [...own.headers, ...sign({ secret: "x" }).slice(2)],
  }),
  "headers of another prefix": ({ own }) => ({
    ...own,
    headers: own.headers.map(([name, value]) => [name.replace("X-SVC-", "X-OTHER-"), value] as const),
  }),
};

function textOf({ method, target, headers, body }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${target} HTTP/1.1\r\n${lines}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
}

/** Sends bytes and reads until the connection ends. Returns the status and the envelope's error. */
async function sendRaw(port: number, text: string): Promise<{ status: number; error: unknown }> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  const json = /\{.*\}/s.exec(answer)?.[0] ?? "{}";
  return { status: Number(answer.split(" ", 2)[1]), error: (JSON.parse(json) as { error?: unknown }).error };
}

/** Whether anything answers at an address and port. */
async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 2000 });
  try {
    socket.on("timeout", () => socket.destroy(new Error("no answer")));
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe("The access rules of the practice exchange", () => {
  const market = createMarket(DEFAULT_SEED);
  let directory: string;
  let practice: EmbeddedPractice;
  let port: number;
  const ledger = (): Buffer => readFileSync(join(directory, "ledger.log"));

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "practice-access-"));
    practice = await openPractice({
      directory,
      now: Date.now,
      timers: monotonicTimers,
      openLog: (path) => openAppendLog({ path, sync: false }),
    });
    port = Number(new URL(practice.baseUrl).port);
    // An open order, so that a cancellation has something to cancel.
    const rate = Math.floor(market.quoteAt("THB_BTC", Date.now()).last * 0.82);
    const { error } = await postBid(
      practice.baseUrl,
      bidBody("THB_BTC", 1000, rate),
      Date.now(),
      practice.credentials,
    );
    assert.equal(error, 0);
  });
  after(async () => {
    await practice.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function wallFor(random: Random): Wall {
    // A bid that the exchange would accept without the access rules.
    const bid = bidBody("THB_BTC", 10, market.quoteAt("THB_BTC", Date.now()).last);
    const order = '{"sym":"THB_BTC","id":"1","sd":"buy"}';
    const [target, body] = pick(random, [
      [PLACE_BID, bid],
      [PLACE_BID, bid],
      [RESET_PATH, "{}"],
      ["/api/market/cancel-order", order],
      [pick(random, OWNERS_READS), order],
    ] as const);
    const { apiKey, apiSecret } = practice.credentials;
    const sign: Wall["sign"] = (changes) =>
      Object.entries(
        signedHeaders(
          changes.method ?? "POST",
          changes.path ?? target,
          changes.body ?? body,
          changes.timestamp ?? Date.now(),
          { apiKey: changes.key ?? apiKey, apiSecret: changes.secret ?? apiSecret },
        ),
      );
    const headers = [["Host", `127.0.0.1:${port}`] as const, ...sign({})];
    return { random, port, sign, own: { method: "POST", target, headers, body } };
  }

  safetyLine(
    24,
    "Every foreign or unsigned request is refused, and the ledger stays unchanged",
    async (proof) => {
      const before = ledger();
      const counts = { foreign: 0, unsigned: 0 };
      const codes = new Map<string, number>();
      const requests = { foreign, unsigned };
      await proof.each(20_000, async ({ random }) => {
        const group = pick(random, ["foreign", "unsigned"] as const);
        const [name, make] = pick(random, Object.entries(requests[group]));
        const text = textOf(make(wallFor(random)));
        const { status, error } = await sendRaw(port, text);
        const isRefused = status >= 400 || (group === "unsigned" && AUTH_ERRORS.has(error));
        assert.ok(isRefused, `${name}: HTTP ${status}, error ${String(error)}: ${text}`);
        assert.deepEqual(ledger(), before, `${name}: ${text}`);
        counts[group] += 1;
        const code = status === 200 ? `error ${String(error)}` : `HTTP ${status}`;
        codes.set(code, (codes.get(code) ?? 0) + 1);
      });
      const { text } = await getWallet(practice.baseUrl, Date.now(), practice.credentials);
      assert.equal(text, '{"error":0,"result":{"THB":999000}}');
      assert.deepEqual(ledger(), before);
      const found = [...codes].sort().map(([code, times]) => `${times} × ${code}`);
      return `${counts.foreign} foreign and ${counts.unsigned} unsigned requests refused (${found.join(", ")}), ${ledger().length - before.length} bytes of the ledger changed`;
    },
  );

  safetyLine(24, "The exchange listens on 127.0.0.1 only, at a random port", async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const elsewhere = ["::1", "127.0.0.2", ...own.map(({ address }) => address)].filter(
      (each) => each !== "127.0.0.1",
    );
    const exchanges = await Promise.all(
      Array.from({ length: 20 }, () => startPractice({ credentials: testPair, now: Date.now })),
    );
    let open = 0;
    try {
      const addresses = exchanges.map(({ baseUrl }) => new URL(baseUrl));
      for (const { hostname, port } of addresses) {
        assert.equal(hostname, "127.0.0.1");
        assert.ok(await isOpen("127.0.0.1", Number(port)));
        for (const address of elsewhere) if (await isOpen(address, Number(port))) open += 1;
      }
      assert.equal(open, 0);
      const ports = new Set(addresses.map(({ port }) => Number(port)));
      assert.equal(ports.size, exchanges.length);
      assert.ok([...ports].every((port) => port >= 1024));
      return `${exchanges.length} exchanges at ${ports.size} ports, reached at 127.0.0.1, and at ${open} of ${new Set(elsewhere).size} other addresses of the same computer`;
    } finally {
      await Promise.all(exchanges.map((exchange) => exchange.close()));
    }
  });

  it("allow the same request if it is signed and sent to the exchange's own name", async () => {
    const before = ledger();
    const { own } = wallFor(() => 0);
    assert.deepEqual(await sendRaw(port, textOf(own)), { status: 200, error: 0 });
    assert.ok(ledger().length > before.length);
    assert.equal((await postBid(practice.baseUrl, own.body, Date.now(), practice.credentials)).error, 0);
    const [read, cancel, reset] = [0.9, 0.7, 0.5].map((chance) => wallFor(() => chance).own);
    for (const request of [read, cancel, reset]) {
      assert.ok(request);
      assert.deepEqual(await sendRaw(port, textOf(request)), { status: 200, error: 0 }, request.target);
    }
    const { text } = await getWallet(practice.baseUrl, Date.now(), practice.credentials);
    assert.equal(text, '{"error":0,"result":{"THB":1000000}}');
    const headers = { Host: `localhost:${port}`, Origin: practice.baseUrl };
    assert.equal((await send(practice.baseUrl, "GET", "/api/servertime", { headers })).error, 0);
  });
});
