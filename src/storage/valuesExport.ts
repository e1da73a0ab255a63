import type { ValueSnapshot } from "../market/holdings/valueSnapshot.ts";
import { localDate } from "../time/localDay.ts";
import { type CsvCell, type CsvFormat, csvText } from "./orders/export.ts";

const COLUMNS = [
  "time",
  "account",
  "place",
  "asset",
  "quantity",
  "price",
  "value",
  "values in",
  "date",
] as const;

/**
 * Exports recorded values as CSV: one row for each asset of each snapshot, so that the values of a time add up to its
 * total. `place` is `account` or `elsewhere`. Times are ISO 8601 UTC and figures exact; `date` is the local day, as on the
 * Portfolio page.
 */
export function valuesExportText(
  snapshots: readonly ValueSnapshot[],
  account: string,
  format: CsvFormat,
): string {
  const rows = snapshots.flatMap(({ at, quote, balances, elsewhere }) => {
    const rowsOf = (place: string, amounts: ValueSnapshot["balances"]): CsvCell[][] =>
      amounts.map(({ asset, quantity, price }) => [
        new Date(at).toISOString(),
        account,
        place,
        asset,
        quantity,
        price,
        quantity.times(price),
        quote,
        localDate(at),
      ]);
    return [...rowsOf("account", balances), ...rowsOf("elsewhere", elsewhere)];
  });
  return csvText([COLUMNS, ...rows], format);
}
