import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import { sideOf } from "../../market/order.ts";
import { stateOf, type OrderEvent } from "./records.ts";
import type { RecordedOrder } from "./replay.ts";
import { groupByFile, type SkippedLine } from "./skippedLines.ts";

/**
 * The orders as CSV for a spreadsheet (RFC 4180, times in ISO 8601 UTC), or as JSON with every evidence record and with
 * the damaged lines of each file.
 */
export function exportText(
  {
    all,
    skippedLines,
  }: { readonly all: readonly RecordedOrder[]; readonly skippedLines: readonly SkippedLine[] },
  format: "csv" | "json",
): string {
  if (format === "json") {
    // The names of earlier exports, because other programs read them.
    return `${JSON.stringify({ bids: all, setAside: groupByFile(skippedLines) }, undefined, 2)}\n`;
  }
  const rows = all.map((order) => COLUMNS.map(([, cell]) => cell(order)));
  return csvText([COLUMNS.map(([heading]) => heading), ...rows]);
}

/** A text, or a computed figure, which may be below zero. */
export type CsvCell = string | Decimal;

/** Rows of cells as CSV for a spreadsheet (RFC 4180). No text is run as a formula; figures are exact. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

const COLUMNS: readonly (readonly [heading: string, cell: (order: RecordedOrder) => string])[] = [
  ["id", ({ intent }) => intent.id],
  ["time", ({ intent }) => timeText(intent.at)],
  ["venue", ({ intent }) => intent.venue],
  ["origin", ({ intent }) => intent.origin],
  ["symbol", ({ intent }) => intent.symbol],
  ["base", ({ intent }) => intent.base],
  ["quote", ({ intent }) => intent.quote],
  ["amount", ({ intent }) => intent.amount],
  ["rate", ({ intent }) => intent.rate],
  ["expected quantity", ({ intent }) => intent.quantity],
  ["expected fee", ({ intent }) => intent.fee],
  ["available before", ({ intent }) => intent.availableBefore ?? ""],
  ["state", ({ state }) => state],
  ["state since", ({ since }) => timeText(since)],
  ["order id", ({ orderId }) => orderId ?? ""],
  [
    "evidence",
    ({ evidence }) => evidence.map((event) => `${timeText(event.at)} ${eventText(event)}`).join("\n"),
  ],
  // Empty if the answer of the exchange proves the state. New columns come last: scripts count the columns before.
  ["settled by", ({ settledBy }) => settledBy ?? ""],
  ["side", ({ intent }) => sideOf(intent)],
  ["post only", ({ intent }) => (intent.postOnly ? "yes" : "")],
];

function eventText(event: OrderEvent): string {
  switch (event.kind) {
    case "sent":
      return "sent";
    case "outcome":
      return outcomeText(event);
    case "check":
      return `check: ${event.verdict === "placed" ? "accepted" : event.verdict}: ${event.text}${event.available === undefined ? "" : ` (available ${event.available})`}`;
    case "settled":
      return `${event.by === "user" ? "marked by user" : "ended by a check"} as ${stateOf(event)}: ${event.evidence}`;
  }
}

function outcomeText(event: Extract<OrderEvent, { kind: "outcome" }>): string {
  switch (event.state) {
    case "accepted":
      return [
        `accepted${event.orderId === undefined ? "" : ` as ${event.orderId}`}`,
        ...(event.differences ?? []).map(({ field, sent, told }) => `${field} sent ${sent}, receipt ${told}`),
      ].join("; ");
    case "rejected":
      return `rejected with ${event.code}${event.message === undefined ? "" : `: ${event.message}`}`;
    case "notSent":
    case "unknown":
      return `${event.state}: ${event.reason}`;
  }
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** Text that a spreadsheet would run as a formula, also after blanks or in full width. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;

/** Text of the exchange may be hostile: a leading apostrophe makes a spreadsheet read the cell as text. */
function quoted(cell: CsvCell): string {
  if (typeof cell !== "string") return `"${plainText(cell)}"`;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
