import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { ExchangeError } from "../../src/exchange/errors.ts";
import { meaningOf, type Meaning } from "../../src/exchange/meaning.ts";
import type { SpecEndpoint } from "../../src/exchange/endpoints.ts";
import {
  endpointsAt,
  impatientTransport,
  testBid,
  testClient,
  timeFrom,
} from "../support/builders/client.ts";
import { loadUi } from "../support/fakes/vscode.ts";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";
import { HEAD, speaking } from "../support/servers/faults.ts";
import { answerOf, serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { startProxy } from "../support/servers/proxy.ts";

const { explain } = await loadUi(() => import("../../src/ui/text/errorText.ts"));
const { AmountText } = await loadUi(() => import("../../src/ui/text/amountText.ts"));

type Read = (client: ExchangeClient) => Promise<unknown>;

/** The fault, and everything expected to follow from it. */
interface Row {
  readonly meaning: Meaning;
  readonly sentence: string;
  readonly button: string;
  readonly serve: () => Promise<LoopbackServer>;
  /** What is requested; default: the market. */
  readonly read?: Read;
  /** Paths other than those of the specification. */
  readonly paths?: Partial<Record<SpecEndpoint, string>>;
}

const answering =
  (...answer: Parameters<typeof answerOf>): Row["serve"] =>
  () =>
    serveHttp(answerOf(...answer));

const wallet: Read = (client) => client.wallet();

const HOST = "api.example.com";
const NETWORK = "It may block your network, country or VPN.";
const CHECK_PATHS = "Check the API address and the paths.";
const CHECK_KEY = "Check that the API key is valid, then set the API key and secret again.";
const FIND_PATH = "Test the connection to find the new path.";
const CHALLENGE =
  "<!DOCTYPE html><title>Just a moment...</title><p>Enable JavaScript and cookies to continue";

const rows: Readonly<Record<string, Row>> = {
  "no answer": {
    meaning: "timeout",
    sentence: `${HOST} did not respond in time.`,
    button: "Try Again",
    serve: speaking(""),
  },
  "an answer that is cut off": {
    meaning: "connectionLost",
    sentence: `The connection to ${HOST} was lost before the response was complete.`,
    button: "Try Again",
    serve: speaking(`${HEAD}Content-Length: 100\r\n\r\n{`, "end"),
  },
  "an answer that is not HTTP": {
    meaning: "notHttp",
    sentence: `The response from ${HOST} is not valid HTTP. Check the host and port of the API address. A proxy or firewall may be in the way.`,
    button: "Test Connection",
    serve: speaking("220 ready\r\n"),
  },
  "a firewall's page": {
    meaning: "forbidden",
    sentence: `${HOST} blocked this request (HTTP 403). ${NETWORK} Your API key is not the cause.`,
    button: "Test Connection",
    serve: answering(403, "<html><h1>403 Forbidden</h1>"),
  },
  "a firewall's page to a signed request": {
    meaning: "forbidden",
    sentence: `${HOST} blocked this request (HTTP 403). It may block your network, country or VPN, or the API key may lack a permission or be limited to other IP addresses.`,
    button: "Test Connection",
    serve: answering(403, "<html><h1>403 Forbidden</h1>"),
    read: wallet,
  },
  "a gateway's refusal in JSON": {
    meaning: "forbidden",
    sentence: `${HOST} blocked this request (HTTP 403). Its message: Access denied. ${NETWORK} Your API key is not the cause.`,
    button: "Test Connection",
    serve: answering(403, '{"error":"Forbidden","message":"Access denied."}'),
  },
  "a check for a browser": {
    meaning: "challenge",
    sentence: `${HOST} responded with a browser check (HTTP 403), which only a person can pass. Try another network or turn off your VPN, and check the API address.`,
    button: "Test Connection",
    serve: answering(403, CHALLENGE),
  },
  "a check for a browser that is called an outage": {
    meaning: "challenge",
    sentence: `${HOST} responded with a browser check (HTTP 503), which only a person can pass. Try another network or turn off your VPN, and check the API address.`,
    button: "Test Connection",
    serve: answering(503, CHALLENGE),
  },
  "a country that is not served": {
    meaning: "notInThisCountry",
    sentence: `${HOST} is not available in your country or network, for legal reasons (HTTP 451). Contact the exchange to find out where it is available. Your API key is not the cause.`,
    button: "Test Connection",
    serve: answering(451, "<html>Unavailable"),
  },
  "a key that a gateway refuses": {
    meaning: "signInWanted",
    sentence: `${HOST} did not accept the API key (HTTP 401). Its message: Unauthorized. ${CHECK_KEY}`,
    button: "Set API Key and Secret…",
    serve: answering(401, '{"message":"Unauthorized"}'),
    read: wallet,
  },
  "a sign-in for the market": {
    meaning: "signInWanted",
    sentence: `${HOST} requires a sign-in for public data (HTTP 401). ${CHECK_PATHS}`,
    button: "Edit Account…",
    serve: answering(401, "<html>Sign in"),
  },
  "a path that the exchange has removed": {
    meaning: "wrongPath",
    sentence: `${HOST} does not serve /api/market/ticker, the path for: Prices (HTTP 404). ${FIND_PATH}`,
    button: "Test Connection",
    serve: answering(404, '{"error":404,"message":"Not Found"}'),
  },
  "a page for a removed path": {
    meaning: "wrongPath",
    sentence: `${HOST} does not serve /api/market/wallet, the path for: Balance (HTTP 410). ${FIND_PATH}`,
    button: "Test Connection",
    serve: answering(410, "<html>Gone"),
    read: wallet,
  },
  "a wrong path in the settings": {
    meaning: "wrongPath",
    sentence: `${HOST} does not serve /v9/prices, the path for: Prices (HTTP 404). ${FIND_PATH}`,
    button: "Test Connection",
    serve: answering(404, '{"code":"404","message":"Not Found"}'),
    paths: { tickers: "/v9/prices?all=1" },
  },
  "a page about maintenance with 200": {
    meaning: "maintenance",
    sentence: `${HOST} is down for maintenance (HTTP 200). Try again later.`,
    button: "Try Again",
    serve: answering(200, "<html><title>Scheduled Maintenance</title>"),
  },
  "a page about maintenance with 503": {
    meaning: "maintenance",
    sentence: `${HOST} is down for maintenance (HTTP 503). Try again later.`,
    button: "Try Again",
    serve: answering(503, "<html><p>We will be back soon."),
  },
  "a 503": {
    meaning: "unavailable",
    sentence: `${HOST} is overloaded or down for maintenance (HTTP 503). Its message: กำลังปรับปรุงระบบ กรุณาลองใหม่ภายหลัง. Try again in a moment.`,
    button: "Try Again",
    serve: answering(503, '{"error":503,"message":"กำลังปรับปรุงระบบ กรุณาลองใหม่ภายหลัง"}'),
  },
  "a bad gateway": {
    meaning: "outage",
    sentence: `${HOST} reported a server error (HTTP 502). Try again in a moment.`,
    button: "Try Again",
    serve: answering(502, "<html>Bad gateway", { "Content-Encoding": "gzip" }),
  },
  "another status": {
    meaning: "badRequest",
    sentence: `${HOST} did not understand the request (HTTP 422). ${CHECK_PATHS}`,
    button: "Edit Account…",
    serve: answering(422, ""),
  },
  "the website of the exchange": {
    meaning: "notJson",
    sentence: `The response from ${HOST} is not JSON. Check that the API address does not lead to a website.`,
    button: "Edit Account…",
    serve: answering(
      200,
      "<html><title>Trade</title><noscript>Enable JavaScript.</noscript>Past maintenance",
    ),
  },
  "another API": {
    meaning: "shape",
    sentence: `The response from ${HOST} has an unknown format. ${CHECK_PATHS}`,
    button: "Edit Account…",
    serve: answering(200, '"hello"'),
  },
  "a redirect": {
    meaning: "redirect",
    sentence: `${HOST} redirects to example.com. Bidside does not follow redirects, to protect your API key. If this is the exchange's API, enter it as the API address.`,
    button: "Edit Account…",
    serve: answering(301, "", { Location: "https://example.com/market/ticker?x=1" }),
  },
  "a redirect to another path": {
    meaning: "redirect",
    sentence: `${HOST} redirects to /v3/ticker. Bidside does not follow redirects, to protect your API key. If this is the exchange's API, enter it as the API address.`,
    button: "Edit Account…",
    serve: answering(301, "", { Location: "/v3/ticker" }),
  },
  "a redirect to nowhere": {
    meaning: "redirect",
    sentence: `${HOST} redirects to another address. Bidside does not follow redirects, to protect your API key. If this is the exchange's API, enter it as the API address.`,
    button: "Edit Account…",
    serve: answering(302, "", { Location: "javascript:alert(1)" }),
  },
  "a balance that cannot be read": {
    meaning: "code",
    sentence: `${HOST} returned error 16: Failed to get balance. Try again in a moment.`,
    button: "Try Again",
    serve: answering(200, '{"error":16}'),
    read: wallet,
  },
  "a server error of the exchange": {
    meaning: "code",
    sentence: `${HOST} returned error 90: Server error. Try again in a moment.`,
    button: "Try Again",
    serve: answering(500, '{"error":90}'),
    read: wallet,
  },
  "a wrong secret": {
    meaning: "code",
    sentence: `${HOST} returned error 6: Missing or invalid signature. Set the API key and secret again: the secret does not match the key.`,
    button: "Set API Key and Secret…",
    serve: answering(200, '{"error":6}'),
    read: wallet,
  },
  "a wrong header prefix": {
    meaning: "code",
    sentence: `${HOST} returned error 2: Missing API key header. Check the header prefix in the settings.`,
    button: "Edit Account…",
    serve: answering(200, '{"error":2}'),
    read: wallet,
  },
  "an undocumented code, in the exchange's words": {
    meaning: "code",
    sentence: `${HOST} returned error V1007-CW: 余额不足，请充值后再试. Look up the code in the exchange's documentation.`,
    button: "Show Log",
    serve: answering(403, '{"code":"V1007-CW","message":"余额不足，请充值后再试。","data":{}}'),
  },
};

/** Returns the proxy's response as the response to the request, like the agent of the editor's extension host. */
class ReplayingAgent extends https.Agent {
  readonly #proxyPort: number;

  constructor(proxyPort: number) {
    super();
    this.#proxyPort = proxyPort;
  }

  addRequest(request: http.ClientRequest): void {
    const { hostname: host } = new URL("http://127.0.0.1");
    http
      .request({ host, port: this.#proxyPort, method: "CONNECT", path: "api.example.com:443", agent: false })
      .on("connect", ({ statusCode }) => {
        const replay = new Socket({ allowHalfOpen: true });
        request.once("socket", (socket) => {
          socket.push(`HTTP/1.1 ${statusCode} Refused\r\nContent-Length: 0\r\n\r\n`);
          socket.push(null);
        });
        request.onSocket(replay);
      })
      .end();
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.()]/g, "\\$&");
}

async function failureOf(attempt: Promise<unknown>): Promise<ExchangeError> {
  const error: unknown = await attempt.then(
    () => assert.fail("the request did not fail"),
    (failure: unknown) => failure,
  );
  return error instanceof ExchangeError ? error : assert.fail(String(error));
}

function check(error: ExchangeError, { meaning, sentence, button }: Omit<Row, "serve">): void {
  assert.equal(meaningOf(error), meaning);
  const { cause, sentence: explained, action } = explain(error, new AmountText(false), HOST);
  assert.equal(explained, sentence);
  assert.ok(explained.startsWith(cause));
  assert.equal(action.title, button);
}

describe("a failed request explains the cause and the remedy", () => {
  let clock: LoopbackServer;
  before(async () => {
    clock = await serveHttp((_request, response) => void response.end(String(Date.now())));
  });
  after(() => clock.close());

  for (const [what, status, body, cause] of [
    ["HTTP 418", 418, "", `Too many requests to ${HOST}.`],
    [
      "HTTP 403 about a rate limit",
      403,
      '{"message":"Rate limit exceeded"}',
      `Too many requests to ${HOST}.`,
    ],
    ["HTTP 503", 503, "", `${HOST} is overloaded or down for maintenance (HTTP 503).`],
    ["a page about maintenance", 503, "<h1>Maintenance</h1>", `${HOST} is down for maintenance (HTTP 503).`],
  ] as const) {
    it(`${what} that asks for a pause: when it ends, and an order is not sent meanwhile`, async () => {
      const server = await answering(status, body, { "Retry-After": "120" })();
      const client = testClient(server.url, {}, { transport: timeFrom(clock.url) });
      try {
        const error = await failureOf(client.tickers());
        const { sentence } = explain(error, new AmountText(false), HOST);
        assert.match(
          sentence.replace(/\d+:.*\.$/, "TIME"),
          new RegExp(`^${escaped(cause)} Bidside retries after TIME$`),
        );
        const order = await failureOf(client.placeOrder(testBid()));
        assert.deepEqual([meaningOf(order), order.provesNothingHappened], ["rateLimit", true]);
        assert.equal(server.seen.length, 1);
      } finally {
        await server.close();
      }
    });
  }

  for (const [title, row] of Object.entries(rows)) {
    it(`${title}: ${row.meaning}, and an order is unknown unless the exchange's code refuses it`, async () => {
      const server = await row.serve();
      const { read = (client: ExchangeClient) => client.tickers() } = row;
      const { seen } = server;
      const transport = row.meaning === "timeout" ? impatientTransport(() => seen.length) : undefined;
      const profile = { walletMethod: "GET", endpoints: endpointsAt(row.paths) } as const;
      const client = testClient(server.url, profile, { transport: timeFrom(clock.url, transport) });
      try {
        check(await failureOf(read(client)), row);
        server.seen.length = 0;
        const order = await failureOf(client.placeOrder(testBid()));
        assert.equal(meaningOf(order), row.meaning);
        const isRefusal = /error (?:2|6|16):/.test(row.sentence);
        assert.equal(order.provesNothingHappened, isRefusal);
        assert.equal(server.seen.length, 1);
      } finally {
        await server.close();
      }
    });
  }

  it("a name without a server: not sent", async () => {
    const client = testClient("https://bidside.invalid");
    const error = await failureOf(client.tickers());
    check(error, {
      meaning: "hostNotFound",
      sentence: `${HOST} cannot be reached: no server with this name was found. Check the network and the API address.`,
      button: "Test Connection",
    });
    assert.ok(error.provesNothingHappened);
  });

  it("a port without a server: not sent", async () => {
    const gone = await serveHttp(() => undefined);
    await gone.close();
    const expected = {
      meaning: "connectionRefused",
      sentence: `${HOST} cannot be reached: the connection was refused. The exchange may be down. Otherwise check the host and port of the API address.`,
      button: "Test Connection",
    } as const;
    check(await failureOf(testClient(gone.url).tickers()), expected);
    const order = await failureOf(testClient(gone.url).placeOrder(testBid()));
    check(order, expected);
    assert.ok(order.provesNothingHappened);
  });

  it("a server without https: not sent", async () => {
    const server = await serveHttp(() => assert.fail("was asked"));
    const error = await failureOf(testClient(server.url.replace("http:", "https:")).tickers());
    await server.close();
    check(error, {
      meaning: "handshake",
      sentence: `A secure connection to ${HOST} could not be established, so nothing was sent. Check the API address and its port. A firewall or a proxy may be in the way. The log shows the reason.`,
      button: "Show Log",
    });
  });

  it("an untrusted certificate: not sent", async () => {
    const server = await serveHttp(() => assert.fail("was asked"), await makeCertificate());
    const error = await failureOf(testClient(server.url).tickers());
    await server.close();
    check(error, {
      meaning: "certificate",
      sentence: `The certificate of ${HOST} cannot be trusted, so nothing was sent. Check the API address and the clock of this computer. The log shows the reason.`,
      button: "Show Log",
    });
  });

  it("a certificate of an authority that the computer does not know: not sent, and who may have issued it", async () => {
    const certificate = await makeCertificate({ authority: await makeAuthority() });
    const server = await serveHttp(() => assert.fail("was asked"), certificate);
    const error = await failureOf(testClient(server.url).tickers());
    await server.close();
    check(error, {
      meaning: "unknownIssuer",
      sentence: `The certificate of ${HOST} was issued by an authority that this computer does not know, so nothing was sent. A company network or an antivirus program probably inspects the connection. Ask its administrator to install its root certificate on this computer, or use another network.`,
      button: "Show Log",
    });
    assert.ok(error.provesNothingHappened);
  });

  describe("behind a proxy", () => {
    const usualAgent = https.globalAgent;
    afterEach(() => {
      https.globalAgent = usualAgent;
    });

    for (const [status, row] of [
      [
        407,
        {
          meaning: "proxySignIn",
          sentence: `Your network's proxy requires a user name and password (HTTP 407) to connect to ${HOST}. Add them to the proxy's address in the http.proxy setting.`,
          button: "Open Settings",
        },
      ],
      [
        403,
        {
          meaning: "proxyRefused",
          sentence: `Your network's proxy refused to connect to ${HOST}. Ask the proxy's administrator to allow this host, or check the http.proxy setting.`,
          button: "Open Settings",
        },
      ],
    ] as const)
      it(`its HTTP ${status} is the proxy's, and proves that nothing was sent`, async () => {
        const proxy = await startProxy({ refuse: status });
        https.globalAgent = new ReplayingAgent(proxy.port);
        try {
          const client = testClient("https://api.example.com");
          check(await failureOf(client.tickers()), row);
          assert.ok((await failureOf(client.placeOrder(testBid()))).provesNothingHappened);
        } finally {
          proxy.close();
        }
      });
  });
});
