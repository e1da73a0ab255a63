import assert from "node:assert/strict";
import { type AccessLevel, accessLevels, toolNames, toolsWithin } from "../../src/assistant/access.ts";
import { settingKeys } from "../../src/contributions.ts";
import { createClient } from "../../src/exchange/client.ts";
import { createTransport } from "../../src/http/transport.ts";
import { canary, findNeedle, needlesOf, secretCanary } from "../support/builders/canaries.ts";
import { asksOffered, pairOf } from "../support/builders/client.ts";
import { AssistedWindow } from "../support/desks/assistedWindow.ts";
import { liveAt, submit } from "../support/desks/testDesk.ts";
import { userSettings } from "../support/fakes/vscode.ts";
import { pick, type Random } from "../support/random.ts";
import { answerOf } from "../support/servers/loopback.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { letSlip } from "../support/servers/leakyService.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

/** Short, because some failures are a service that never answers. */
const TIMEOUT_MS = 250;
const ENDPOINTS = ["placeBid", "wallet", "tickers"] as const;

/** Digits that occur nowhere by chance. */
function amount(random: Random): string {
  const digits = (): string => String(1_000_000 + Math.floor(random() * 9_000_000));
  return `${digits()}.${digits()}`;
}

/** A key that is no number: as a balance, a number is a balance, whoever else uses it as a key. */
function nonNumeric(draw: () => string): string {
  const text = draw();
  return /^\d+$/.test(text) ? nonNumeric(draw) : text;
}

/** A call of each tool, within its schema. */
const inputs: Readonly<Record<(typeof toolNames)[number], unknown>> = {
  bidside_markets: { limit: 50 },
  bidside_candles: { pair: "BTC/THB", interval: "1m" },
  bidside_book: { pair: "BTC/THB" },
  bidside_alerts: {},
  bidside_account: {},
  bidside_orders: { limit: 50 },
  bidside_prepareOrder: { side: "buy", pair: "BTC/THB", amount: "999999999999", rate: "100" },
};

describe("the results for assistants", () => {
  const counts = { results: 0, characters: 0, refused: 0, hidden: 0, signatures: 0 };
  const ways = new Map<string, number>();

  async function round(random: Random): Promise<void> {
    const [key, secret] = [nonNumeric(() => canary(random)), nonNumeric(() => secretCanary(random))];
    const needles = needlesOf([key, secret]);
    const [thb, btc] = [amount(random), amount(random)];
    const exchange: TestExchange = await serveExchange();
    exchange.answers.wallet = answerOf(200, JSON.stringify({ error: 0, result: { THB: thb, BTC: btc } }));
    const level = pick<AccessLevel>(random, accessLevels);
    const window = await AssistedWindow.open(level, {
      ...liveAt(exchange.url, () => Promise.resolve(pairOf(key, secret)), { features: asksOffered }),
      createClient: (options) =>
        createClient({ ...options, transport: createTransport({ timeoutMs: TIMEOUT_MS }), readWaitsMs: [0] }),
    });
    const texts: string[] = [];
    const check = (text: string, isHidden: boolean): void => {
      texts.push(text);
      counts.results += 1;
      counts.characters += text.length;
      const found = findNeedle(text, needles);
      assert.equal(found, undefined, `${found}: ${text}`);
      if (!isHidden) return;
      counts.hidden += 1;
      for (const figure of [thb, btc].flatMap((each) => [each, ...each.split(".")]))
        assert.ok(!text.includes(figure), `${figure}: ${text}`);
    };
    const callAll = async (isHidden: boolean): Promise<void> => {
      userSettings.set(settingKeys.hideAmounts, isHidden);
      for (const name of toolNames) {
        const isAllowed = toolsWithin(level).includes(name);
        const result = await window.invoke(name, inputs[name]);
        assert.equal(result !== undefined, isAllowed, name);
        if (result !== undefined) check(result, isHidden);
        const outcome = await window.callOverSocket(name, JSON.stringify(inputs[name]));
        if (typeof outcome === "string") {
          assert.deepEqual([level, outcome], ["off", "noWindow"], name);
          continue;
        }
        check(outcome.text, isHidden);
        const isRefused = outcome.text.includes("bidside.assistant.access");
        assert.equal(isRefused, !isAllowed, `${level} ${name} ${outcome.text}`);
        if (isRefused) counts.refused += 1;
        await window.settle(11_000);
      }
    };
    try {
      if (level !== "off") await window.answersServers();
      await callAll(random() < 0.5);
      for (const endpoint of ENDPOINTS)
        exchange.answers[endpoint] = letSlip(random, { apiKey: key, apiSecret: secret }, ways);
      let hasEnded = false;
      const placing = submit(window.desk, { symbol: "THB_BTC", amount: "1000", rate: "100" });
      void placing.then(() => (hasEnded = true));
      await waitFor("the order to end", () => {
        window.dialogs[0]?.answer(true);
        return hasEnded;
      });
      await callAll(random() < 0.5);
      const all = texts.join("\n");
      for (const { headers } of exchange.seen) {
        const signature = headers["x-svc-sign"];
        if (signature === undefined) continue;
        counts.signatures += 1;
        assert.ok(!all.includes(String(signature)), "a signature");
      }
    } finally {
      await window.close();
      await exchange.close();
    }
  }

  safetyLine(
    39,
    "Contain no key, secret or hidden amount, and each level has its own tools on every road",
    async (proof) => {
      const rounds = await proof.each(500, async ({ random }) => round(random));
      if (rounds >= 50) for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
      return (
        `${rounds} windows at services leaking in ${ways.size} ways: ${counts.results} results with ${counts.characters} ` +
        `characters, ${counts.hidden} of them with hidden amounts: 0 keys, secrets, signatures or hidden amounts; ` +
        `${counts.refused} calls beyond the level refused`
      );
    },
  );
});
