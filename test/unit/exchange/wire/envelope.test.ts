import assert from "node:assert/strict";
import { ExchangeError, RefusedError, UnreadableResponseError } from "../../../../src/exchange/errors.ts";
import { readResponse, type ResponseContext } from "../../../../src/exchange/wire/envelope.ts";

const NOW = 1_700_000_000_000;

function read(
  status: number,
  text: string,
  changes: Partial<ResponseContext> = {},
  retryAfter?: string,
  date?: string,
) {
  const context = {
    endpoint: "placeBid",
    hidden: [],
    now: NOW,
    serverNow: undefined,
    ...changes,
  } as const;
  return readResponse({ status, retryAfter, date, body: Buffer.from(text) }, context);
}

function refusal(...args: Parameters<typeof read>): RefusedError {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
  return assert.fail("was not refused");
}

function caught(...args: Parameters<typeof read>): ExchangeError {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof ExchangeError) return error;
    throw error;
  }
  return assert.fail("was read");
}

function unreadable(...args: Parameters<typeof read>): string {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof UnreadableResponseError) return error.reason;
    throw error;
  }
  return assert.fail("was read");
}

describe("readResponse", () => {
  it("takes the result out of an envelope with error 0, also if the result is missing", () => {
    assert.deepEqual(read(200, '{"error":0,"result":"x"}'), { content: "x", enveloped: true, status: 200 });
    assert.deepEqual(read(200, '{"error":"0"}'), { content: undefined, enveloped: true, status: 200 });
    assert.deepEqual(read(200, '"x"'), { content: "x", enveloped: false, status: 200 });
  });

  it("finds the service's own error under any HTTP status", () => {
    for (const status of [200, 400, 401, 404, 429, 500, 502]) {
      const error = refusal(status, '{"error":18,"message":"too little"}');
      assert.deepEqual([error.code, error.httpStatus, error.serviceMessage], [18, status, "too little"]);
    }
    assert.equal(refusal(200, '{"error":"18"}').code, 18);
    assert.equal(refusal(401, '{"error":"unauthorized"}').code, "unauthorized");
  });

  it("treats HTTP 429 and error 30 as a rate limit, and reports when it ends", () => {
    const limits = [refusal(429, "<html>"), refusal(429, ""), refusal(200, '{"error":30}')];
    for (const error of limits) assert.deepEqual([error.isRateLimit, error.retryAt], [true, NOW + 30_000]);
    assert.equal(refusal(429, "", {}, "60").retryAt, NOW + 60_000);
    assert.equal(refusal(200, '{"error":18}').retryAt, undefined);
    assert.deepEqual(
      limits.map(({ limitsHost }) => limitsHost),
      [true, false, false],
      "a page is from a front end of the host",
    );
  });

  it("treats HTTP 418, and HTTP 403 about a rate limit, as a rate limit that proves nothing about an order", () => {
    for (const [status, body] of [
      [418, ""],
      [418, "<html>teapot</html>"],
      [418, '{"message":"IP banned"}'],
      [403, "<title>Error 1015: You are being rate limited</title>"],
      [403, '{"message":"Rate limit exceeded"}'],
    ] as const) {
      const error = caught(status, body, { endpoint: "placeBid" });
      assert.ok(error instanceof UnreadableResponseError, body);
      assert.deepEqual(
        [error.reason, error.retryAt, error.limitsHost, error.provesNothingHappened],
        ["rateLimit", NOW + 30_000, true, false],
        body,
      );
    }
    for (const [status, body, limitsHost] of [
      [418, '{"code":-1003,"message":"Way too much request weight used"}', true],
      [403, '{"error":9999,"message":"Too many requests"}', false],
    ] as const) {
      const error = refusal(status, body, { endpoint: "placeBid" }, "60");
      assert.deepEqual(
        [error.isRateLimit, error.retryAt, error.limitsHost, error.provesNothingHappened],
        [true, NOW + 60_000, limitsHost, false],
        body,
      );
    }
    assert.equal(unreadable(403, "<html>Forbidden</html>"), "httpStatus");
  });

  it("takes the pause that an unavailable exchange asks for, and no other", () => {
    const pauseOf = (status: number, body: string, retryAfter?: string) => {
      const { retryAt, limitsHost } = caught(status, body, {}, retryAfter);
      return [retryAt === undefined ? undefined : retryAt - NOW, limitsHost];
    };
    for (const body of ["", "<html>maintenance</html>", '{"code":"S1000","message":"x"}'])
      assert.deepEqual(pauseOf(503, body, "5"), [5000, true], body);
    assert.equal(refusal(503, '{"code":"S1000","message":"x"}', {}, "5").isRateLimit, false);
    assert.deepEqual(pauseOf(503, "", undefined), [undefined, false]);
    assert.deepEqual(pauseOf(503, "", "0"), [undefined, false]);
    assert.deepEqual(pauseOf(502, "", "5"), [undefined, false]);
  });

  it("measures a date by the answer's clock, else by the measured clock, else by the local clock", () => {
    const HOUR = 3_600_000;
    const inAMinute = new Date(NOW + 60_000).toUTCString();
    const here = { now: NOW - HOUR };
    const at = (changes: Partial<ResponseContext>, date?: string) =>
      refusal(429, "", { ...here, ...changes }, inAMinute, date).retryAt;
    assert.equal(at({}, new Date(NOW).toUTCString()), NOW - HOUR + 60_000);
    assert.equal(at({ serverNow: NOW }), NOW - HOUR + 60_000);
    assert.equal(at({ serverNow: NOW }, "not a date"), NOW - HOUR + 60_000);
    assert.equal(at({ serverNow: NOW - HOUR }, new Date(NOW).toUTCString()), NOW - HOUR + 60_000);
    assert.equal(at({}), NOW + 60_000);
  });

  it("reads the text code of newer generations, and never as a code of the table", () => {
    const error = refusal(401, '{"code":"V1007-CW","message":"Invalid\\nkey","data":{}}');
    assert.deepEqual([error.code, error.serviceMessage], ["V1007-CW", "Invalid key"]);
    assert.equal(error.provesNothingHappened, false);
    for (const endpoint of ["placeBid", "tickers"] as const) {
      const numeric = refusal(400, '{"code":18,"message":"no"}', { endpoint });
      assert.deepEqual([numeric.code, numeric.provesNothingHappened], ["18", false]);
    }
  });

  it("reads only plain digits as a code of the table, and never reads an error as success", () => {
    for (const error of ["1e-400", "18.0", "-18", "1e1", "0.5", "9007199254740993", '"18 "', '"0x12"']) {
      const { code, provesNothingHappened } = refusal(200, `{"error":${error}}`);
      assert.deepEqual([typeof code, provesNothingHappened], ["string", false], error);
    }
    for (const error of ["true", "{}", "[]", '{"code":18}', "[18]", '" "']) {
      const text = `{"error":${error},"id":"1","typ":"limit","amt":1000}`;
      assert.equal(unreadable(200, text), "shape", error);
      assert.equal(unreadable(502, text), "httpStatus", error);
    }
    for (const error of ["null", "false", '""']) {
      assert.equal(read(200, `{"error":${error},"id":"1"}`).enveloped, false, error);
    }
  });

  it("distinguishes error pages, empty responses and text from JSON", () => {
    assert.equal(unreadable(502, "<html>Bad gateway</html>"), "httpStatus");
    assert.equal(unreadable(500, '{"error":0}'), "httpStatus");
    assert.equal(unreadable(404, ""), "httpStatus");
    for (const text of ["<html>", "", " ", "ok", '{"error":0', '{"error":0}}', "\u0000"]) {
      assert.equal(unreadable(200, text), "notJson", JSON.stringify(text));
    }
  });

  it("reads a response with a number that is not valid JSON, except for orders and cancellations", () => {
    const text = '{"error":0,"result":{"id":"1","fee":NaN}}';
    assert.deepEqual(read(200, text, { endpoint: "wallet" }).content, { id: "1", fee: "not a number" });
    for (const endpoint of ["placeBid", "placeAsk", "cancelOrder"] as const)
      assert.equal(unreadable(200, text, { endpoint }), "notJson");
  });

  it("refuses JSON that is nested too deeply", () => {
    assert.equal(unreadable(200, "[".repeat(500_000) + "]".repeat(500_000)), "notJson");
  });

  it("masks the service's message and code, except words and short codes", () => {
    const error = refusal(400, '{"code":"bad k3y-of-mine","message":"sign abcdef0 for k3y, code 18"}');
    assert.deepEqual([error.code, error.serviceMessage], ["bad […]", "sign […] for […] code 18"]);
    assert.equal(refusal(400, '{"code":12345678901234567890}').code, "[…]");
    assert.equal(refusal(200, '{"error":12345678901234567890}').code, "[…]");
    for (const code of ["V1007-CW", "A1000", "-18", "E18", "unauthorized"])
      assert.equal(refusal(400, JSON.stringify({ code })).code, code);
  });

  it("accepts only documented and consistent responses as proof of a rejection", () => {
    const order = '"id":"1","typ":"limit","amt":1000,"rat":15000';
    const unproven: [number, string][] = [
      [200, '{"error":429}'],
      [429, `{"error":0,"result":{${order}}}`],
      [429, '{"error":0}'],
      [429, `{${order}}`],
      [429, '{"code":"0","message":"success","data":{}}'],
      [429, '{"error":19}'],
      [429, '{"code":"S1000","message":"Server error","data":{}}'],
      [200, `{"error":18,"result":{${order}}}`],
      [200, `{"error":18,${order}}`],
      [200, '{"error":18,"code":"0","message":"success","data":{}}'],
      [200, '{"error":18,"error":0}'],
      [200, '{"error":0,"error":18}'],
      [200, '{"error":0,"result":{"id":"1","id":"2"}}'],
      [200, '{"error":0,"code":"B1003","message":"Insufficient balance"}'],
      [500, '{"error":0,"result":{"id":"1"}}'],
    ];
    for (const [status, text] of unproven) {
      assert.throws(
        () => read(status, text),
        (error) => error instanceof ExchangeError && !error.provesNothingHappened,
        `${status} ${text}`,
      );
    }
    const proven: [number, string][] = [
      [429, ""],
      [429, "<html>"],
      [429, '{"message":"slow down"}'],
      [429, '{"error":18}'],
      [429, '{"error":30}'],
      [429, '{"code":"V1010","message":"Too many requests","data":{}}'],
      [200, '{"error":18,"result":{"amt":"too much"}}'],
      [200, '{"error":18,"id":"of the gateway"}'],
    ];
    for (const [status, text] of proven)
      assert.ok(refusal(status, text).provesNothingHappened, `${status} ${text}`);
  });

  it("detects a rate limit from the HTTP status, whatever the body", () => {
    for (const text of ['{"error":0}', '{"error":0,"error":18}', '{"error":19}'])
      assert.equal(refusal(429, text).retryAt, NOW + 30_000, text);
    assert.equal(refusal(200, '{"error":429}').isRateLimit, false);
  });

  it("rejects an envelope with duplicate keys, and lists those of its content", () => {
    const wallet = { endpoint: "wallet" } as const;
    for (const text of ['{"error":0,"error":0,"result":{}}', '{"error":0,"result":{},"result":{"THB":1}}'])
      assert.equal(unreadable(200, text, wallet), "contradictory", text);
    const { repeated } = read(200, '{"error":0,"result":{"A":1,"A":2,"B":1,"C":{"x":1,"x":1}}}', wallet);
    assert.deepEqual(repeated, new Set(["A", "C"]));
    assert.deepEqual(read(200, '{"A":1,"A":2,"B":1}', wallet).repeated, new Set(["A"]));
    assert.equal(read(200, '{"A":1,"A":2,"B":1}', { endpoint: "tickers" }).repeated, undefined);
    assert.equal(read(200, '{"error":0,"x":1,"x":2,"result":{"A":1}}', wallet).repeated, undefined);
  });

  it("takes the data out of the newest generation's envelope, and reads its code as an error", () => {
    for (const code of ['"0"', "0"]) {
      const text = `{"code":${code},"message":"success","data":{"BTC":"1000"}}`;
      const { content, enveloped } = read(200, text, { endpoint: "tickers" });
      assert.deepEqual([content, enveloped], [{ BTC: "1000" }, true]);
    }
    const refused = refusal(200, '{"code":"B1003","message":"Insufficient balance","data":{}}');
    assert.deepEqual([refused.code, refused.provesNothingHappened], ["B1003", true]);
    for (const [status, code] of [
      [200, "V1007-CW"],
      [200, "18"],
      [500, "S1000"],
    ] as const) {
      const error = refusal(status, JSON.stringify({ code, message: "no", data: {} }));
      assert.deepEqual([error.code, error.serviceMessage, error.provesNothingHappened], [code, "no", false]);
    }
    for (const [status, code] of [
      [401, "A1000"],
      [403, "A1001"],
      [400, "V1003"],
      [401, "V1004"],
    ] as const)
      assert.ok(refusal(status, JSON.stringify({ code, message: "no", data: {} })).provesNothingHappened);
    assert.equal(unreadable(500, '{"code":"0","message":"success","data":{}}'), "httpStatus");
    assert.equal(read(200, '{"code":5,"THB":1}', { endpoint: "wallet" }).enveloped, false);
  });
});
