import { soldLots, type SoldLot } from "../../market/holdings/cost.ts";
import { localDate } from "../../time/localDay.ts";
import { type CsvCell, type CsvFormat, csvText } from "./export.ts";
import type { PairTrades, RecordedTrade } from "./tradeBook.ts";

/**
 * Exports all fills as CSV, and splits each sale by the purchases it came from (first in, first out). Times are ISO
 * 8601 UTC and numbers exact plain decimals; value, fee, cost, proceeds and result are in quote. `date` is the local day
 * of the time, so that results by day, month and year add up as on the Portfolio page. Each row is one of three kinds, so
 * that a sum over one kind counts nothing twice. docs/fills-export.md describes the columns. New columns go last, because
 * scripts count columns.
 */
export function fillsExportText(all: readonly PairTrades[], format: CsvFormat): string {
  return csvText([COLUMNS, ...all.flatMap(rowsOf)], format);
}

export const COLUMNS = [
  "row",
  "time",
  "venue",
  "origin",
  "base",
  "quote",
  "side",
  "order id",
  "fill id",
  "rate",
  "quantity",
  "value",
  "fee",
  "maker",
  "cost from",
  "bought time",
  "bought order id",
  "bought fill id",
  "cost",
  "proceeds",
  "result",
  "account",
  "date",
] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], CsvCell>>>;

function rowsOf({ account, pair, trades, entered }: PairTrades): CsvCell[][] {
  const at = { ...account, ...pair };
  const opening: Row[] = entered
    ? [
        {
          row: "entered",
          ...timeOf(entered.at),
          quantity: entered.quantity,
          cost: entered.cost,
        },
      ]
    : [];
  const byId = new Map(trades.map((trade) => [trade.id, trade]));
  const sold = soldLots(trades, entered).map((lot) => lotRow(lot, byId));
  return [...opening, ...trades.map(fillRow), ...sold].map((row) =>
    COLUMNS.map((name) => ({ ...at, ...row })[name] ?? ""),
  );
}

function fillRow(trade: RecordedTrade): Row {
  const { value, fee, isMaker } = trade;
  return {
    row: "fill",
    ...nameOf(trade),
    quantity: trade.quantity,
    value,
    fee,
    maker: isMaker === undefined ? "" : isMaker ? "yes" : "no",
  };
}

function lotRow(
  { sale, bought, quantity, proceeds, cost }: SoldLot,
  byId: ReadonlyMap<string, RecordedTrade>,
): Row {
  const sold = byId.get(sale.id);
  const from = bought && byId.get(bought.id);
  return {
    row: "lot",
    ...(sold && nameOf(sold)),
    quantity,
    "cost from": cost ? (from ? "fill" : "entered") : "unknown",
    ...(from && {
      "bought time": timeText(from.at),
      "bought order id": from.orderId,
      "bought fill id": from.txn,
    }),
    proceeds,
    ...(cost && { cost, result: proceeds.minus(cost) }),
  };
}

function nameOf({ at, side, orderId, txn, rate }: RecordedTrade): Row {
  return {
    ...timeOf(at),
    side,
    "order id": orderId,
    "fill id": txn,
    rate,
  };
}

function timeOf(at: number): Row {
  return { time: timeText(at), date: localDate(at) };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}
