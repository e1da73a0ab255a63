import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Secret } from "../../src/exchange/secret.ts";
import { testBid, testClient, timeFrom } from "../support/clients.ts";
import { faults } from "../support/servers/faults.ts";
import { serveHttp, type LoopbackServer, type SeenRequest } from "../support/servers/loopback.ts";

const KEY = "canary+key/0123=";
const SECRET = "canary~secret:4567";

/** Every way a text may have been written down. */
function forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [
    text,
    bytes.toString("hex"),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    encodeURIComponent(text),
    bytes.toString("hex").replace(/..(?!$)/g, "$& "),
  ];
}

function assertClean(printed: string, signatures: string[]): void {
  const text = printed.toLowerCase();
  for (const form of [KEY, SECRET, ...signatures].flatMap(forms)) {
    assert.ok(!text.includes(form.toLowerCase()), `${form} is in: ${printed.slice(0, 2000)}`);
  }
}

/** All that a careless reader could get out of an error. */
function everythingIn(error: unknown): string {
  const { message, stack, cause } = error as Error;
  const shown = [error, cause].map((each) =>
    inspect(each, { depth: 10, showHidden: true, maxStringLength: null }),
  );
  return [message, stack, JSON.stringify(error), String(cause), ...shown].join("\n");
}

/** What a talkative server says of a request: its headers, raw and in every other form. */
function echo({ headers }: SeenRequest): string {
  const told = ["x-svc-apikey", "x-svc-sign"].map((name) => String(headers[name] ?? ""));
  return told.flatMap(forms).join(" ");
}

const echoing: Readonly<Record<string, () => Promise<LoopbackServer>>> = {
  "in the message of an error": () =>
    serveHttp((seen, response) => void response.end(JSON.stringify({ error: 3, message: echo(seen) }))),
  "in the message of an undocumented error": () =>
    serveHttp((seen, response) => void response.end(JSON.stringify({ error: 999, message: echo(seen) }))),
  "in a text code": () =>
    serveHttp((seen, response) => {
      const code = String(seen.headers["x-svc-apikey"]);
      response.writeHead(401).end(JSON.stringify({ code, message: echo(seen) }));
    }),
  "as the error itself": () =>
    serveHttp((seen, response) => void response.end(JSON.stringify({ error: echo(seen) }))),
  "in a web page": () => serveHttp((seen, response) => void response.end(`<html>${echo(seen)}`)),
  "in an error page": () =>
    serveHttp((seen, response) => void response.writeHead(502).end(`<html>${echo(seen)}`)),
  "in broken JSON": () => serveHttp((seen, response) => void response.end(`{"a":"${echo(seen)}`)),
  "in an unknown shape": () => serveHttp((seen, response) => void response.end(JSON.stringify([echo(seen)]))),
  "in the names of assets": () =>
    serveHttp((seen, response) => {
      const names = Object.fromEntries(
        forms(String(seen.headers["x-svc-apikey"])).map((name) => [name, null]),
      );
      response.end(JSON.stringify({ error: 0, result: { THB: 1, ...names } }));
    }),
  "in where it redirects to": () =>
    serveHttp((seen, response) => {
      response.writeHead(302, { Location: `/${encodeURIComponent(echo(seen))}` }).end();
    }),
  "in headers beyond the limit": () =>
    serveHttp((seen, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\nX-Echo: ${echo(seen).repeat(200)}\r\n\r\n`);
    }),
  "in what is not HTTP": () => serveHttp((seen, response) => void response.socket?.end(echo(seen))),
  "in Retry-After": () =>
    serveHttp((seen, response) => {
      response.writeHead(429, { "Retry-After": String(seen.headers["x-svc-apikey"]) }).end(echo(seen));
    }),
};

/** Lets every method meet the server, and gives back all that was thrown and logged, once it is known to be clean. */
async function exercise(start: () => Promise<LoopbackServer>): Promise<string[]> {
  const clock = await serveHttp((_request, response) => void response.end(String(Date.now())));
  const server = await start();
  const printed: string[] = [];
  const keep = (line: string): void => void printed.push(line);
  const credentials = { apiKey: new Secret(KEY), apiSecret: new Secret(SECRET) };
  try {
    const client = testClient(
      server.url,
      {},
      {
        credentials: () => Promise.resolve(credentials),
        log: { debug: keep, warn: keep },
        transport: timeFrom(clock.url, 100),
      },
    );
    for (const attempt of [client.wallet, () => client.placeBid(testBid()), client.tickers]) {
      await attempt().catch((error: unknown) => keep(everythingIn(error)));
    }
    const signatures = server.seen.map(({ headers }) => String(headers["x-svc-sign"] ?? "")).filter(Boolean);
    assertClean(printed.join("\n"), signatures);
    return printed;
  } finally {
    await server.close();
    await clock.close();
  }
}

describe("key, secret and signature", () => {
  for (const [name, start] of Object.entries(echoing)) {
    it(`echoed ${name} appear in no error and no log`, async () => {
      assert.ok((await exercise(start)).length > 0);
    });
  }

  for (const [name, { start }] of Object.entries(faults)) {
    it(`appear in no error and no log of a server that ${name}`, async () => {
      assert.ok((await exercise(start)).length > 0);
    });
  }

  it("that cannot be used appear in no error", async () => {
    const pairs = [
      [`${KEY}\n`, SECRET],
      [KEY, `${SECRET}\n`],
      [`${KEY}\u00e9`, SECRET],
    ] as const;
    for (const [key, secret] of pairs) {
      const credentials = { apiKey: new Secret(key), apiSecret: new Secret(secret) };
      const client = testClient(
        "http://127.0.0.1:9",
        {},
        { credentials: () => Promise.resolve(credentials) },
      );
      const error: unknown = await client.placeBid(testBid()).catch((caught: unknown) => caught);
      assertClean(everythingIn(error), []);
    }
  });

  it("in a failing keyring's own words appear in no error", async () => {
    const client = testClient(
      "http://127.0.0.1:9",
      {},
      {
        credentials: () => Promise.reject(new Error(`cannot decode ${SECRET}`)),
      },
    );
    const error: unknown = await client.wallet().catch((caught: unknown) => caught);
    assert.match((error as Error).message, /could not be read/);
    assertClean(everythingIn(error), []);
  });
});
