import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { WalletCells } from "../../../../src/ui/wallet/walletColumns.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { WalletColumns } = await loadUi(() => import("../../../../src/ui/wallet/walletColumns.ts"));
const { labelWidth } = await loadUi(() => import("../../../../src/ui/text/rowColumns.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

/** Hundredths of an em. */
const SPACES: Readonly<Record<string, number>> = {
  "\u2003": 100,
  "\u2005": 25,
  "\u200A": 6.25,
  "\u2007": 57,
  "\u2008": 27,
};

const cells = (label: string, quantity: string, value: string): WalletCells => ({
  label,
  quantity,
  value: new Decimal(value),
  change: null,
});

/** Where the decimal point of each row's value is, in hundredths of an em. */
function pointsOf(rows: readonly WalletCells[]): readonly number[] {
  const columns = new WalletColumns(rows, new AmountText(false));
  return rows.map((row) => {
    const [text = ""] = /^.*(?=\.\d+$)/.exec(row.label + columns.text(row)) ?? [];
    return [...text].reduce((width, letter) => width + (SPACES[letter] ?? labelWidth(letter)), 0);
  });
}

describe("the columns of Wallet", () => {
  it("align values where a label without a quantity reaches into the column of quantities", () => {
    for (const label of ["Total", "Reserved"]) {
      const rows = [
        cells(label, "", "505.00"),
        cells("BTC", "0.0892", "505.00"),
        cells("LTC", "7", "505.00"),
      ];
      const points = pointsOf(rows);
      assert.ok(Math.max(...points) - Math.min(...points) < 10, `${label}: ${points.join()}`);
      const without = pointsOf(rows.slice(1));
      assert.ok(Math.abs((points[1] ?? 0) - (without[0] ?? 0)) < 1, `${label} pushes no figure to the right`);
    }
  });

  it("have room for labels where no row has a quantity", () => {
    const points = pointsOf([cells("Reserved", "", "505.00"), cells("THB", "", "505.00")]);
    assert.ok(Math.abs((points[0] ?? 0) - (points[1] ?? 0)) < 10, points.join());
  });
});
