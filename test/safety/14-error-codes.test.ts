import assert from "node:assert/strict";
import { serviceCode } from "../../src/exchange/serviceCodes.ts";
import { openForm, type OpenForm } from "../support/pages/openForm.ts";
import { pick, type Random } from "../support/random.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { safetyLine } from "./safetyLine.ts";

const DRAFT = { symbol: "THB_BTC", amount: "1000", rate: "100" };

/** Codes that prove that the order was refused: those of the specification (2, 3, 6, 8), and of similar services. */
const PROVEN: ReadonlySet<number> = new Set([
  ...Array.from({ length: 18 }, (_, index) => index + 1),
  22,
  25,
  30,
  52,
  55,
  56,
  57,
  61,
]);
/** Documented codes that prove nothing. */
const DOUBTFUL: ReadonlySet<number> = new Set([19, 20, 21, 23, 24, 90]);
const STATUSES = [200, 201, 400, 401, 403, 404, 409, 422, 500, 503] as const;
/** Shown for a rate limit instead of the table's words: the end of the block. */
const PAUSE = /Too many requests to [^ ]+\. You can submit again after \d/;

interface Answer {
  readonly status: number;
  readonly body: string;
}

function isDocumented(code: number): boolean {
  return PROVEN.has(code) || DOUBTFUL.has(code);
}

/** An integer that is in no table: small, negative, past 2^53. */
function undocumentedNumber(random: Random): string {
  const code = pick(random, [
    Math.floor(random() * 1000),
    -Math.floor(random() * 1000) - 1,
    Math.floor(random() * 2 ** 31),
    -Math.floor(random() * 2 ** 53),
  ]);
  // 0 is success.
  if (isDocumented(code) || code === 0) return undocumentedNumber(random);
  return pick(random, [String(code), `${code}${String(Math.floor(random() * 1e9)).padStart(9, "1")}`]);
}

/** A documented code in a form that no service uses, a false success, or a text. */
function strangeCode(random: Random): string {
  const known = pick(random, [...PROVEN, 0]);
  return pick(random, [
    `${known}.5`,
    `${known}e-400`,
    `-${known}.0`,
    `"${known} "`,
    `"0x${known.toString(16)}"`,
    `"E${known}"`,
    `"V${Math.floor(random() * 9999)}-CW"`,
    `"${pick(random, ["unauthorized", "\\u0e53", "-", "18,19", "null"])}"`,
    `[${known}]`,
    `{"code":${known}}`,
    "true",
  ]);
}

/** An answer with a code that proves nothing, in the envelope or in the form of newer services. */
function unknownAnswer(random: Random): Answer {
  const status = pick(random, STATUSES);
  const message = pick(random, [
    "",
    ',"message":"rejected, insufficient balance"',
    ',"message":"order refused"',
  ]);
  const order = pick(random, ["", ',"id":"1","typ":"limit","amt":1000,"rat":100', ',"result":{"id":"1"}']);
  const code = pick(random, [undocumentedNumber, strangeCode])(random);
  if (random() < 0.25) {
    // From another table than the envelope's, also if the number is the same.
    const own = pick(random, [code, "18", '"V1007-CW"']);
    return { status: Math.max(400, status), body: `{"code":${own}${message},"data":{}}` };
  }
  return { status, body: `{"error":${code}${message}${order}}` };
}

/** An answer with the code of a refusal, and with a sign of success beside the code. */
function contradictoryAnswer(random: Random): Answer {
  const code = pick(random, [...PROVEN]);
  const order = '"id":"1","typ":"limit","amt":1000,"rat":100';
  const success = pick(random, ['"error":0', '"code":"0","message":"success","data":{}']);
  return pick(random, [
    { status: 200, body: `{"error":${code},"result":{${order}}}` },
    { status: 200, body: `{"error":${code},${order}}` },
    { status: 200, body: `{"error":${code},"code":"0","message":"success"}` },
    { status: 200, body: `{"error":${code},"error":0,"result":{${order}}}` },
    { status: 200, body: `{"error":0,"error":${code}}` },
    { status: 429, body: `{${success}}` },
    { status: 429, body: `{${order}}` },
    { status: 200, body: '{"error":429}' },
  ]);
}

/** The words that a refusal must show: the remedy in the table. */
function remedyOf(code: number): RegExp {
  if (code === 30) return PAUSE;
  const remedy = serviceCode(code)?.remedy ?? assert.fail(`${code} has no remedy`);
  assert.match(remedy, /^[A-Z].*\.$/);
  return new RegExp(`${remedy.replace(/[.()]/g, "\\$&")}$`);
}

describe("An error code", () => {
  let exchange: TestExchange;
  let form: OpenForm;

  beforeEach(async () => {
    exchange = await serveExchange();
    form = await openForm(exchange.url);
  });
  afterEach(async () => {
    await form.close();
    await exchange.close();
  });

  /** Gives one bid of the form this answer; returns the form's text and the journal's state of the bid. */
  async function bid({ status, body }: Answer) {
    await form.close();
    form = await openForm(exchange.url);
    exchange.answers.placeBid = (_request, response) => void response.writeHead(status).end(body);
    exchange.seen.length = 0;
    const { notice, fields, done } = await form.submit(DRAFT);
    assert.equal(exchange.seenOf("placeBid").length, 1);
    assert.equal(done, false);
    const [record, ...more] = form.orders.own;
    assert.ok(record && more.length === 0);
    return { text: notice?.text ?? "", fields: Object.values(fields), state: record.state };
  }

  safetyLine(
    14,
    "A proven refusal is shown as rejected, with its remedy; every other code leaves the bid unknown",
    async (proof) => {
      const counts = { rejected: 0, doubtful: 0, unknown: 0 };
      for (const code of PROVEN) {
        for (const [status, body] of [
          [200, `{"error":${code}}`],
          [400, `{"error":"${code}","message":"no"}`],
        ] as const) {
          const shown = await bid({ status, body });
          assert.equal(shown.state, "rejected", body);
          assert.match(shown.text, /^Rejected\. Nothing was spent\. /, body);
          assert.match(shown.text, remedyOf(code), body);
          for (const words of shown.fields) assert.equal(words, serviceCode(code)?.remedy);
        }
        counts.rejected += 1;
      }
      for (const code of DOUBTFUL) {
        const shown = await bid({ status: 200, body: `{"error":${code}}` });
        assert.equal(shown.state, "unknown", String(code));
        assert.match(
          shown.text,
          /^Unclear response: your order may have been placed\. .*Check your orders on/,
        );
        counts.doubtful += 1;
      }
      await proof.each(1000, async ({ random }) => {
        const answer = (random() < 0.25 ? contradictoryAnswer : unknownAnswer)(random);
        const shown = await bid(answer);
        assert.equal(shown.state, "unknown", JSON.stringify(answer));
        assert.match(
          shown.text,
          /^Unclear response: your order may have been placed\. .*never sends an order twice\.$/,
          JSON.stringify(answer),
        );
        counts.unknown += 1;
      });
      return (
        `${counts.rejected} codes that prove a refusal: rejected, each with its remedy; ` +
        `${counts.doubtful} documented and ${counts.unknown} unknown or contradictory codes: all unknown; 1 POST each`
      );
    },
  );
});
