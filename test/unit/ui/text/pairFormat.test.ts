import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  formatPair,
  formatProblem,
  pairFields,
  type PairField,
  usualPairFormat,
} from "../../../../src/ui/text/pairFormat.ts";
import { root } from "../../../../tools/paths.ts";

const values = Object.fromEntries(pairFields.map((field) => [field, field.toUpperCase()])) as Record<
  PairField,
  string
>;

interface Setting {
  readonly pattern: string;
  readonly maxLength: number;
  readonly default: string;
}

describe("the text of a pair in the status bar", () => {
  it("replaces each value, and keeps all other text on one line", () => {
    const format = "$(heart) ${pair}:\n${last}  ${change}$";
    assert.equal(formatProblem(format), undefined);
    assert.equal(formatPair(format, values), "$(heart) PAIR: LAST CHANGE$");
    assert.equal(formatPair(usualPairFormat, { ...values, arrow: "", change: "" }), "BASE LAST");
  });

  it("is never empty, and never longer than 60 characters", () => {
    assert.equal(formatPair("${change}", { ...values, change: "" }), "PAIR");
    const long = formatPair("${last}", { ...values, last: "9".repeat(300) });
    assert.equal([...long].length, 60);
  });

  it("has a problem with unknown, unclosed and missing values, and with long formats", () => {
    assert.deepEqual(formatProblem("${lst}"), { kind: "unknownField", field: "lst" });
    assert.deepEqual(formatProblem("${constructor}"), { kind: "unknownField", field: "constructor" });
    assert.deepEqual(formatProblem("${last} ${"), { kind: "unclosed" });
    assert.deepEqual(formatProblem("last"), { kind: "noField" });
    assert.deepEqual(formatProblem(`\${last}${"x".repeat(100)}`), { kind: "tooLong" });
  });

  it("is accepted by the settings editor exactly if the code accepts it", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly contributes: {
        readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
      };
    };
    const settings = Object.assign({}, ...manifest.contributes.configuration.map((each) => each.properties));
    const { pattern, maxLength, default: usual } = settings["bidside.statusBar.pairFormat"] as Setting;
    assert.equal(usual, usualPairFormat);
    const part = fc.constantFrom("${last}", "${lst}", "${", "}", "$", "a", " ", "{", "${arrow}");
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const format = parts.join("");
        const accepts = format.length <= maxLength && new RegExp(pattern, "u").test(format);
        assert.equal(accepts, formatProblem(format) === undefined, format);
      }),
    );
  });
});
