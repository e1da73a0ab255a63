import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import {
  readWebhook,
  sendToWebhook,
  type Webhook,
  type WebhookService,
  webhookText,
  webhookUrlProblem,
} from "../../src/desk/notifications/webhook.ts";
import type { SendOutcome } from "../../src/desk/notifications/channel.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { createTransport } from "../../src/http/transport.ts";
import { type Answer, answerOf, type LoopbackServer, serveHttp } from "../support/servers/loopback.ts";

const message = {
  id: "alert-1",
  pair: "BTC/THB",
  rule: "rises to 3,000,000.00",
  price: "3000001.5",
  time: "2026-11-28T08:00:00.000Z",
  text: "BTC/THB rose to 3,000,001.50 THB <!everyone> & @everyone",
};
const PATH = "/hook/T0KEN-of-the-user?chat_id=42";

describe("A webhook", () => {
  let server: LoopbackServer;
  let answer: Answer;
  beforeEach(async () => {
    answer = answerOf(200, "ok");
    server = await serveHttp((...request) => answer(...request));
  });
  afterEach(() => server.close());

  const webhookAt = (url: string, service: WebhookService = "json"): Webhook => ({
    service,
    url: new Secret(url),
  });

  async function send(
    webhook = webhookAt(server.url + PATH),
    { attempt = 1, timeoutMs = 2000 } = {},
  ): Promise<SendOutcome> {
    const transport = createTransport({ timeoutMs });
    const isAllowed = () => true;
    return await sendToWebhook({ transport, userAgent: "Bidside/1", isAllowed }, webhook, message, attempt);
  }

  it("gets one POST with the body that its service expects", async () => {
    for (const [service, type, body] of [
      ["json", "application/json", message],
      ["ntfy", "text/plain; charset=utf-8", message.text],
      [
        "slack",
        "application/json",
        { text: "BTC/THB rose to 3,000,001.50 THB &lt;!everyone&gt; &amp; @everyone" },
      ],
      ["discord", "application/json", { content: message.text, allowed_mentions: { parse: [] } }],
      ["telegram", "application/json", { chat_id: "42", text: message.text }],
    ] as const) {
      assert.deepEqual(await send(webhookAt(server.url + PATH, service)), { kind: "sent" });
      const seen = server.seen.at(-1) ?? assert.fail();
      assert.deepEqual([seen.method, seen.path, seen.headers["content-type"]], ["POST", PATH, type]);
      const text = String(seen.body);
      assert.deepEqual(typeof body === "string" ? text : JSON.parse(text), body);
    }
    assert.equal(server.seen.length, 5);
  });

  it("is asked again if it is busy, and not if it refuses", async () => {
    const kinds: string[] = [];
    for (const status of [204, 408, 429, 500, 503, 400, 401, 404, 410]) {
      answer = answerOf(status, "<html>");
      kinds.push(`${status} ${(await send()).kind}`);
    }
    assert.deepEqual(kinds, [
      "204 sent",
      "408 retry",
      "429 retry",
      "500 retry",
      "503 retry",
      "400 refused",
      "401 refused",
      "404 refused",
      "410 refused",
    ]);
  });

  it("is not followed to another address", async () => {
    const target = await serveHttp(answerOf(200, "ok"));
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        for (const Location of [`${target.url}/x`, "/elsewhere"]) {
          answer = answerOf(status, "", { Location });
          const outcome = await send();
          assert.deepEqual(outcome, { kind: "refused", problem: { kind: "redirect" } });
        }
      }
      assert.deepEqual([target.traffic.connections, server.seen.length], [0, 10]);
    } finally {
      await target.close();
    }
  });

  it("that does not answer in time, or vanishes, is asked only once more, because it may have the message", async () => {
    const held: ServerResponse[] = [];
    for (const silent of [
      (_: unknown, response: ServerResponse) => void held.push(response),
      (_: unknown, response: ServerResponse) => void response.socket?.destroy(),
    ]) {
      answer = silent;
      for (const [attempt, kind] of [
        [1, "retry"],
        [2, "refused"],
      ] as const) {
        const outcome = await send(undefined, { attempt, timeoutMs: 300 });
        assert.deepEqual(outcome, { kind, problem: { kind: "noAnswer" } });
      }
    }
    for (const response of held) response.destroy();
  });

  it("that cannot be reached is asked again, however often", async () => {
    await server.close();
    for (const attempt of [1, 30]) {
      const outcome = await send(undefined, { attempt });
      assert.deepEqual(outcome, { kind: "retry", problem: { kind: "unreachable" } });
    }
  });

  it("gets nothing over plain http, or with an address that its service cannot use", async () => {
    const https = "https://hooks.example.com/T0KEN";
    assert.deepEqual(
      [
        webhookUrlProblem("json", `${server.url}${PATH}`),
        webhookUrlProblem("json", "hooks.example.com"),
        webhookUrlProblem("json", "https://me:pass@hooks.example.com/"),
        webhookUrlProblem("telegram", https),
        webhookUrlProblem("telegram", `${https}?chat_id=1`),
        webhookUrlProblem("slack", https),
      ],
      ["notHttps", "notUrl", "hasUser", "noChat", undefined, undefined],
    );
    const parts = { transport: createTransport(), userAgent: "Bidside/1" };
    const outcome = await sendToWebhook(parts, webhookAt(server.url + PATH), message);
    assert.deepEqual([outcome.kind, server.traffic.connections], ["refused", 0]);
  });

  it("does not show its URL in any outcome, and is read back from its stored text", async () => {
    const webhook = webhookAt(server.url + PATH, "slack");
    answer = answerOf(302, "", { Location: PATH });
    const outcomes = [await send(webhook)];
    await server.close();
    outcomes.push(await send(webhook), await send(webhookAt("https://nobody.invalid/T0KEN-of-the-user")));
    assert.doesNotMatch(inspect({ webhook, outcomes }, { depth: 9 }), /T0KEN|nobody/);
    const again = readWebhook(webhookText(webhook));
    assert.deepEqual([again?.service, again?.url.reveal()], ["slack", server.url + PATH]);
    assert.equal(readWebhook('{"service":"fax","url":"https://a.example"}'), undefined);
  });
});
