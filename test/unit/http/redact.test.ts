import assert from "node:assert/strict";
import fc from "fast-check";
import { MASK, redact } from "../../../src/http/redact.ts";
import { canary, findNeedle, needlesOf, writings } from "../../support/builders/canaries.ts";
import { anyText } from "../../support/builders/anyText.ts";
import { seededRandom } from "../../support/random.ts";

describe("redact", () => {
  it("makes one line without control, bidi or zero-width characters", () => {
    assert.equal(redact(" at\r\nbe\tco\u202ed\u200be\u0007\u2028f "), "at be code f");
    fc.assert(
      fc.property(anyText(400), (text) => {
        const line = redact(text);
        assert.ok(line.length <= 200);
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.ok(line.isWellFormed());
      }),
    );
  });

  it("cuts at 200 characters", () => {
    assert.equal(redact("four ".repeat(40)), "four ".repeat(40).trim());
    assert.equal(redact("four ".repeat(41)), `${"four ".repeat(40).slice(0, 199)}…`);
  });

  it("keeps the usual messages of services, with their codes and short numbers", () => {
    for (const text of [
      "Invalid API key.",
      "Insufficient balance: 1,000.50 THB available",
      "Unauthorized (HTTP 401)",
      "error 18, try again in 30 seconds!",
      "amount is below 10 THB for THB_BTC - don't",
      "ยอดไม่พอ",
      "self-signed certificate",
      "read ECONNRESET",
      "socket hang up",
    ])
      assert.equal(redact(text), text);
  });

  it("keeps short numbers with a sign or unit, dates and times", () => {
    for (const text of [
      "Minimum order is 10THB",
      "at least ฿10.00 or $1,000.50",
      "amount must be ≥ 10 THB",
      "price >= 10",
      "wait 30s, at most 500ms",
      "10,000.50 ฿ is above the limit of 5%",
      "maintenance until 02:00 (UTC+7)",
      "back on 2026-11-28 at 02:00:30",
      "back 2026-11-28 02:00-04:00, or 28/11/2026 2:30pm",
      "expired at 2026-11-28T02:00:00.123Z",
      "closed until November 28, 2026, and again from Dec. 1st",
    ])
      assert.equal(redact(text), text);
  });

  it("keeps reasons of words that exchanges use, however they are joined", () => {
    for (const text of [
      "insufficient_balance",
      "code: unknown_symbol",
      "MIN_NOTIONAL",
      "invalid-api-key",
      "order.quantity.too_low",
      "insufficientBalance",
      "InvalidTimestamp",
      "ERR_INSUFFICIENT_FUNDS",
      "PRICE_FILTER",
      "otp_required",
      "2fa_required",
      "timestamp outside recvWindow",
      "post_only_would_match_immediately",
    ])
      assert.equal(redact(text), text);
  });

  it("keeps a short number that is joined to such a reason", () => {
    for (const text of [
      "code=18",
      "error:18",
      "error#18",
      "amount>=10.00THB",
      "min_notional≥฿10",
      "rate_limit_exceeded=30s",
      "requires kyc_level_1 first",
    ])
      assert.equal(redact(text), text);
    for (const token of ["key=k3y", "code=123456789012", "code=12AB34", "k3y=18", "code:12:34:56:78"])
      assert.equal(redact(`bad ${token} here`), "bad […] here", token);
    assert.equal(redact("dump code=12 code=34 end"), "dump […] end");
    for (const text of ["dump 28 2026 end", "market 28 2026 end"])
      assert.equal(redact(text).split(" ").slice(1).join(" "), "[…] end");
  });

  it("masks what only resembles a number, a date or a reason", () => {
    for (const token of [
      "10thb2f",
      "0x1f3a",
      "12AB34CD",
      "1234567890123456",
      "99:99",
      "2026-13-40",
      "insufficient_k3y",
      "correct_horse_battery",
      "api_key_abcdefghijkl",
      "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    ])
      assert.equal(redact(`bad ${token} here`), "bad […] here", token);
    assert.equal(redact("dump 12AB 34CD 56EF end"), "dump […] end");
    assert.equal(redact("dump 12s 34m 56h end"), "dump […] end");
  });

  it("keeps messages in any script, with the names, codes and amounts in them", () => {
    for (const text of [
      "ยอดเงินคงเหลือไม่เพียงพอสำหรับคำสั่งซื้อนี้",
      "จำนวนเงินต่ำกว่า10บาท",
      "余额不足，请充值后再试。",
      "BTCの残高が10未満です。",
      "残高が不足しています (18)",
      "거래가 일시적으로 중지되었습니다",
      "Недостаточно средств на счёте: аутентификация",
      "الرصيد غير كاف",
    ])
      assert.equal(redact(text), text);
  });

  it("masks a key within a message of another script", () => {
    for (const key of [
      "k3yABCDEF123",
      "abcdefghijklmnop",
      "กขคงจฉชซฌญฎฏฐฑ",
      "密ß钥é的ñ字0符1集合",
      "фывапролджэячсмит",
    ]) {
      const line = redact(`密钥无效 ${key} ลองอีกครั้ง`);
      assert.equal(line, "密钥无效 […] ลองอีกครั้ง");
    }
    for (const key of ["k3yABCDEF123", "abcdefghijklmnop"]) assert.equal(redact(`密钥${key}无效`), MASK);
  });

  it("masks every token of 12 or more characters, or of letters and digits, with its neighbours", () => {
    assert.equal(redact("bad key: abcdefghijkl."), "bad key: […]");
    assert.equal(redact("bad key abcdefghijk"), "bad key abcdefghijk");
    assert.equal(redact("sign (a1b2) for 123456789012"), "sign […] for […]");
    assert.equal(redact("key aBcDeF is off"), "key […] is off");
    assert.equal(redact("try https://example.com/a now"), "try […] now");
    assert.equal(redact("x {{{{{{{{{ y"), "x […] y");
  });

  it("masks a row of short pieces as a single token", () => {
    assert.equal(redact("dump 6b 33 79 2f 77 end"), "dump […] end");
    assert.equal(redact("dump 12 34 56 end"), "dump […] end");
    assert.equal(redact("dump s e c r e t end"), "dump […] end");
  });

  it("masks an unknown key in every spelling, and keeps the words around the key", () => {
    const random = seededRandom(9);
    for (let round = 0; round < 200; round++) {
      const secret = canary(random);
      const needles = needlesOf([secret]);
      for (const [name, write] of Object.entries(writings)) {
        const line = redact(`bad ${write(secret)} here`);
        assert.equal(findNeedle(line, needles), undefined, `${name}: ${line}`);
        assert.match(line, /^bad .*\[…\].* here$/, name);
      }
    }
  });

  it("reads a limited part of a text, and shows no beginning of a token that continues beyond it", () => {
    assert.ok(redact("k3y ".repeat(1_000_000)).length <= 200);
    assert.equal(redact(`${" ".repeat(16 * 1024 - 6)}shown abcdefghijklmnop`), "");
    assert.equal(redact(`shown ${"k3y ".repeat(4094)}abcdefghijklmnop`), "shown […]");
  });
});
