import assert from "node:assert/strict";
import { settingKeys } from "../../src/contributions.ts";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { createServer, getCACertificates, setDefaultCACertificates, type SecureVersion } from "node:tls";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { NotSentError } from "../../src/exchange/errors.ts";
import { createTransport } from "../../src/http/transport.ts";
import { isLoopback } from "../../src/http/loopback.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { specPaths } from "../../src/exchange/paths.ts";
import { testBid, testClient } from "../support/builders/client.ts";
import { loadUi } from "../support/fakes/vscode.ts";
import { pick, type Random } from "../support/random.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { serveHttp } from "../support/servers/loopback.ts";
import { startLimit } from "../../tools/test/machineSpeed.ts";
import { safetyLine } from "./safetyLine.ts";

const { AmountText } = await loadUi(() => import("../../src/ui/text/amountText.ts"));
const { explain } = await loadUi(() => import("../../src/ui/text/errorText.ts"));

/** A TLS server that counts its handshakes and the bytes it decrypts. */
async function countDecrypted(certificate: Certificate, maxVersion: SecureVersion) {
  const count = { connections: 0, bytes: 0 };
  const server = createServer({ ...certificate, maxVersion }, (socket) => {
    socket.on("error", () => undefined).on("data", (chunk) => (count.bytes += chunk.length));
  });
  server.on("connection", () => (count.connections += 1));
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that a failed test left open must not keep the process alive.
  server.unref();
  // Closed only when every connection has ended, so that nothing is still on its way.
  const close = (): Promise<unknown> => new Promise((resolve) => server.close(resolve));
  return { count, close, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type AgentOptions = https.AgentOptions;

/** Ways to switch verification off that other programs offer, or other extensions in the same process may use. */
const switches: Readonly<Record<string, (agent: AgentOptions, env: NodeJS.ProcessEnv) => void>> = {
  "as it is": () => undefined,
  "with NODE_TLS_REJECT_UNAUTHORIZED=0": (_agent, env) => (env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"),
  "with a shared agent that rejects nothing": (agent) => (agent.rejectUnauthorized = false),
  "with a shared agent that checks no host": (agent) => (agent.checkServerIdentity = () => undefined),
  "with all of these": (agent, env) => {
    env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    agent.rejectUnauthorized = false;
    agent.checkServerIdentity = () => undefined;
  },
};

/** Every request of a client; the signed requests with a known clock. A slow handshake is waited for. */
function requestsOf(url: string): (() => Promise<unknown>)[] {
  const transport = createTransport({ after: startLimit });
  const time = { status: 200, retryAfter: undefined };
  const signing = (walletMethod: "GET" | "POST"): ExchangeClient =>
    testClient(
      url,
      { walletMethod },
      {
        transport: async (request) =>
          request.label === "serverTime"
            ? { ...time, body: Buffer.from(String(Date.now())) }
            : transport(request),
      },
    );
  const plain = testClient(url, {}, { transport });
  return [
    () => plain.serverTime(),
    () => plain.tickers(),
    () => signing("GET").wallet(),
    () => signing("POST").wallet(),
    () => signing("GET").placeOrder(testBid()),
    // A refused certificate is refused again, also while another request is on its way.
    () => signing("GET").placeOrder(testBid()),
    () => prepared(signing("GET")),
    () => prepared(signing("GET"), (client) => client.placeOrder(testBid()).catch(() => undefined)),
  ];
}

/** A bid whose connection was opened ahead, with another action meanwhile. */
async function prepared(
  client: ExchangeClient,
  meanwhile?: (client: ExchangeClient) => unknown,
): Promise<unknown> {
  const way = client.prepareOrder("buy");
  try {
    await meanwhile?.(client);
    return await client.placeOrder(testBid(), undefined, way);
  } finally {
    way.close();
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof NotSentError && error.reason === "certificate" && error.provesNothingHappened;
}

/** A host that is not this computer, in one of many spellings; many of them look like this computer. */
function foreignHost(random: Random): string {
  const byte = (): number => Math.floor(random() * 256);
  const label = Math.floor(random() * 36 ** 5).toString(36);
  return pick(random, [
    `${pick(random, [0, 10, 126, 128, 169, 172, 192, 224, 255])}.${byte()}.${byte()}.${byte()}`,
    `${label}.example`,
    `localhost.${label}.example`,
    `127.0.0.1.${label}.example`,
    `${label}.localhost`,
    `[fd00::${label.replace(/[^0-9a-f]/g, "0").slice(0, 4)}]`,
    "[::ffff:127.0.0.1]",
    "[::]",
    "0.0.0.0",
    "localhost.",
    `${128 * 2 ** 24 + Math.floor(random() * 2 ** 31)}`,
    `0x${(1 + Math.floor(random() * 126)).toString(16)}.${byte()}.1`,
  ]);
}

describe("An untrusted connection", () => {
  const defaults = getCACertificates("default");
  const usualAgent = https.globalAgent;
  const usualEnvironment = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  let authority: Certificate;

  before(async () => {
    authority = await makeAuthority();
    setDefaultCACertificates([...defaults, authority.cert]);
  });
  afterEach(() => {
    https.globalAgent = usualAgent;
    if (usualEnvironment === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = usualEnvironment;
  });
  after(() => setDefaultCACertificates(defaults));

  function switchOff(name: string): void {
    https.globalAgent = new https.Agent({ keepAlive: true });
    delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    switches[name]?.(https.globalAgent.options, process.env);
  }

  safetyLine(
    22,
    "Is refused before anything signed is sent, and no switch turns verification off",
    async () => {
      const certificates: Readonly<Record<string, Certificate>> = {
        "signed by itself": await makeCertificate(),
        "of an unknown authority": await makeCertificate({ authority: await makeAuthority() }),
        "that has expired": await makeCertificate({ authority, valid: "no more" }),
        "that is not valid yet": await makeCertificate({ authority, valid: "not yet" }),
        "of another host": await makeCertificate({ authority, host: "other.example" }),
        "of a host whose name begins with this host": await makeCertificate({
          authority,
          host: "127.0.0.1.example",
        }),
      };
      const counts = { requests: 0, connections: 0, bytes: 0 };
      for (const [name, certificate] of Object.entries(certificates)) {
        for (const switched of Object.keys(switches)) {
          for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
            switchOff(switched);
            const server = await countDecrypted(certificate, version);
            const refused = (request: () => Promise<unknown>) =>
              assert.rejects(
                request(),
                (error) => {
                  assert.match(
                    explain(error, new AmountText(false), "api.example.com").sentence,
                    /^The certificate of api\.example\.com cannot be trusted, so nothing was sent\. /,
                  );
                  return isRefusal(error);
                },
                `${name}, ${switched}, ${version}`,
              );
            const requests = requestsOf(server.url);
            for (const request of requests) await refused(request);
            await Promise.all(requests.map(refused));
            await server.close();
            counts.requests += 2 * requests.length;
            counts.connections += server.count.connections;
            counts.bytes += server.count.bytes;
          }
        }
      }
      assert.equal(counts.bytes, 0);
      assert.ok(counts.connections >= counts.requests);
      return (
        `${counts.requests} requests over ${counts.connections} connections to ${Object.keys(certificates).length} wrong certificates, ` +
        `verification switched off in ${Object.keys(switches).length - 1} ways: all refused, ${counts.bytes} bytes sent`
      );
    },
  );

  safetyLine(22, "Plain http is possible to this computer only", async (proof) => {
    let opened = 0;
    const count = (): void => void (opened += 1);
    subscribe("net.client.socket", count);
    try {
      await assert.rejects(testClient("http://127.0.0.1:9").serverTime());
      assert.ok(opened > 0, "connections are counted");
      opened = 0;
      const hosts = await proof.each(1000, async ({ random }) => {
        const baseUrl = `http://${foreignHost(random)}${pick(random, ["", ":80", ":8443", "/api"])}`;
        assert.equal(isLoopback(new URL(baseUrl)), false, baseUrl);
        const draft = {
          baseUrl,
          headerPrefix: "X-SVC-",
          paths: {},
          walletMethod: "GET",
          symbolOrder: "quoteFirst",
        };
        assert.deepEqual(readProfile(draft), ["baseUrlInsecure"], baseUrl);
        const refusal = { kind: "notSent", reason: "insecure", provesNothingHappened: true };
        for (const request of requestsOf(baseUrl)) await assert.rejects(request(), refusal);
      });
      assert.equal(opened, 0);
      return `${hosts} other hosts by plain http: refused as a setting and as a request, ${opened} connections opened`;
    } finally {
      unsubscribe("net.client.socket", count);
    }
  });

  it("is distinguished from a trusted connection, which works with all settings of other programs", async () => {
    const answers = { servertime: () => String(Date.now()), wallet: () => '{"error":0,"result":{"THB":1}}' };
    const good = await makeCertificate({ authority });
    const server = await serveHttp((request, response) => {
      const name = request.path.slice(request.path.lastIndexOf("/") + 1) as keyof typeof answers;
      response.end(answers[name]?.() ?? '{"error":0,"result":{"id":"1"}}');
    }, good);
    try {
      for (const switched of Object.keys(switches)) {
        switchOff(switched);
        const client = testClient(server.url, { walletMethod: "GET" });
        assert.equal((await client.wallet()).size, 1, switched);
        assert.deepEqual(await client.placeOrder(testBid()), { orderId: "1" });
      }
      assert.equal(
        server.seen.filter(({ path }) => path === specPaths.placeBid).length,
        Object.keys(switches).length,
      );
    } finally {
      await server.close();
    }
  });

  it("cannot be allowed by a setting, because no such setting exists", () => {
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: {
        configuration: { properties: Record<string, unknown> } | { properties: Record<string, unknown> }[];
      };
    };
    const settings = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
    assert.ok(settings.includes(settingKeys.maximumAmount));
    assert.deepEqual(
      settings.filter((key) => /tls|ssl|cert|verif|strict|secure|trust|reject|proxy/i.test(key)),
      [],
    );
  });
});
