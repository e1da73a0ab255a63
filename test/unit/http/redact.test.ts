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
