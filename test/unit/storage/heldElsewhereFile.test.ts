import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NewerFormatError } from "../../../src/files/versioned.ts";
import type { Balance, Wallet } from "../../../src/market/balance.ts";
import { MAX_HELD_ELSEWHERE } from "../../../src/market/holdings/heldElsewhere.ts";
import { Decimal, plainText } from "../../../src/market/numbers/decimal.ts";
import { HeldElsewhereFile } from "../../../src/storage/heldElsewhereFile.ts";
import { heldElsewhere } from "../../support/builders/heldElsewhere.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the file of holdings elsewhere", () => {
  let path: string;
  beforeEach(() => void (path = join(temporaryFolder(), "new", "holdings.json")));

  it("keeps every digit, for the user alone", () => {
    const file = new HeldElsewhereFile(path);
    assert.deepEqual(file.read(), []);
    const exact = "0.123456789012345678901234567891";
    file.write([
      heldElsewhere({ quantity: exact, cost: ["THB", "1000000.01"] }),
      heldElsewhere({ asset: "ETH" }),
    ]);
    const [btc, eth] = file.read();
    assert.equal(btc && plainText(btc.quantity), exact);
    assert.equal(btc?.cost && plainText(btc.cost.amount), "1000000.01");
    assert.equal(eth?.cost, undefined);
    if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  const good = {
    id: "3f0c1b54-7d1a-4c57-9a0e-0d6a5b1c2d3e",
    venue: "live",
    asset: "BTC",
    quantity: "1",
    place: "",
  };
  for (const [what, holdings] of [
    ["a negative quantity", [{ ...good, quantity: "-1" }]],
    ["a quantity of zero", [{ ...good, quantity: "0.00" }]],
    ["a quantity as a float", [{ ...good, quantity: 0.1 }]],
    ["an exponent that would exhaust memory", [{ ...good, quantity: "1e999999999" }]],
    ["more digits than any amount has", [{ ...good, quantity: "1".repeat(31) }]],
    ["an asset with markup", [{ ...good, asset: "[x](command:y)" }]],
    ["a place with a line break", [{ ...good, place: "a\nb" }]],
    ["a place that is too long", [{ ...good, place: "x".repeat(41) }]],
    ["an id that is a path", [{ ...good, id: "../x" }]],
    ["an id twice, which would count one holding twice", [good, good]],
    ["a field that nobody knows", [{ ...good, available: "1" }]],
    [
      "too many entries",
      Array.from({ length: MAX_HELD_ELSEWHERE + 1 }, (_, at) => ({ ...good, id: numbered(at) })),
    ],
    ["no list", {}],
  ] as const)
    it(`is refused as a whole with ${what}, and is not changed`, () => {
      const file = new HeldElsewhereFile(path);
      file.write([]);
      const text = JSON.stringify({ version: 1, holdings });
      writeFileSync(path, text);
      assert.throws(() => file.read());
      assert.equal(readFileSync(path, "utf8"), text);
    });

  it("is refused if it is no JSON or a newer version wrote it", () => {
    const file = new HeldElsewhereFile(path);
    file.write([]);
    writeFileSync(path, "{");
    assert.throws(() => file.read());
    writeFileSync(path, '{"version":2,"holdings":[]}');
    assert.throws(() => file.read(), NewerFormatError);
  });

  it("writes nothing that it would refuse to read", () => {
    const file = new HeldElsewhereFile(path);
    file.write([heldElsewhere({ asset: "ETH" })]);
    const before = readFileSync(path, "utf8");
    assert.throws(() => file.write([{ ...heldElsewhere(), quantity: new Decimal("-1") }]));
    assert.equal(readFileSync(path, "utf8"), before);
  });
});

describe("a holding elsewhere", () => {
  it("is no balance to the compiler, so no order or limit can count it", () => {
    const held = heldElsewhere();
    // @ts-expect-error: it has nothing available.
    const balance: Balance = held;
    // @ts-expect-error: and no wallet has it.
    const wallet: Wallet = new Map([[held.asset, held]]);
    assert.deepEqual([Object.keys(balance).includes("available"), wallet.size], [false, 1]);
  });
});

function numbered(at: number): string {
  return `3f0c1b54-7d1a-4c57-9a0e-${String(at).padStart(12, "0")}`;
}
