import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import type { OrderEvent } from "./records.ts";
import type { SentOrder } from "./order.ts";
import { groupByFile, type SkippedLine } from "./skippedLines.ts";

/** `comma` is RFC 4180 with decimal points. `semicolon` is for spreadsheets in locales with decimal commas. */
export type CsvFormat = "comma" | "semicolon";

/**
 * Exports orders as CSV (RFC 4180, times in ISO 8601 UTC), or as JSON with every evidence record and the damaged lines
 * of each file.
 */
export function exportText(
  {
    own,
    skippedLines,
  }: { readonly own: readonly SentOrder[]; readonly skippedLines: readonly SkippedLine[] },
  format: CsvFormat | "json",
): string {
  if (format === "json") {
    const orders = own.map(({ intent, state, since, orderId, evidence, settledBy, accountResetAt }) => ({
      intent,
      state,
      since,
      orderId,
      evidence,
      settledBy,
      accountResetAt,
    }));
    return `${JSON.stringify({ orders, skippedLines: groupByFile(skippedLines) }, undefined, 2)}\n`;
  }
  const rows = own.map((order) => COLUMNS.map(([, cell]) => cell(order)));
  return csvText([COLUMNS.map(([heading]) => heading), ...rows], format);
}

/** Text, or a number: plain decimal text, or a computed value, which may be negative. */
export type CsvCell = string | Decimal | { readonly figure: string };

/** Byte order mark: without it, spreadsheets read UTF-8 as the computer's old encoding and garble Thai text. */
const MARK = "\uFEFF";

/**
 * Formats rows as CSV in UTF-8 with a byte order mark. Every cell is quoted, no text can run as a formula or become another
 * number, and numbers are exact.
 */
export function csvText(rows: readonly (readonly CsvCell[])[], format: CsvFormat): string {
  const separator = format === "comma" ? "," : ";";
  const lines = rows.map(
    (cells) => `${cells.map((cell) => `"${cellText(cell, format)}"`).join(separator)}\r\n`,
  );
  return MARK + lines.join("");
}

const COLUMNS: readonly (readonly [heading: string, cell: (order: SentOrder) => CsvCell])[] = [
  ["id", ({ intent }) => intent.id],
  ["time", ({ intent }) => timeText(intent.at)],
  ["venue", ({ intent }) => intent.venue],
  ["origin", ({ intent }) => intent.origin],
  ["symbol", ({ intent }) => intent.symbol],
  ["base", ({ intent }) => intent.base],
  ["quote", ({ intent }) => intent.quote],
  ["amount", ({ intent }) => ({ figure: intent.amount })],
  ["rate", ({ intent }) => ({ figure: intent.rate })],
  ["expected quantity", ({ intent }) => ({ figure: intent.quantity })],
  ["expected fee", ({ intent }) => ({ figure: intent.fee })],
  ["available before", ({ intent }) => ({ figure: intent.availableBefore ?? "" })],
  ["state", ({ state }) => state],
  ["state since", ({ since }) => timeText(since)],
  ["order id", ({ orderId }) => orderId ?? ""],
  [
    "evidence",
    ({ evidence }) => evidence.map((event) => `${timeText(event.at)} ${eventText(event)}`).join("\n"),
  ],
  // Empty if the exchange's response proves the state. New columns go last, because scripts count columns.
  ["settled by", ({ settledBy }) => settledBy ?? ""],
  ["side", ({ intent }) => intent.side],
  ["post only", ({ intent }) => (intent.postOnly ? "yes" : "")],
  ["account", ({ intent }) => intent.account ?? ""],
];

function eventText(event: OrderEvent): string {
  switch (event.kind) {
    case "outcome":
      return outcomeText(event);
    case "check":
      return `check: ${event.text}${event.available === undefined ? "" : ` (available ${event.available})`}`;
    case "settled":
      return `${event.by === "user" ? "marked by user" : "ended by a check"} as ${event.as}: ${event.evidence}`;
  }
}

function outcomeText(event: Extract<OrderEvent, { kind: "outcome" }>): string {
  switch (event.state) {
    case "accepted":
      return [
        `accepted${event.orderId === undefined ? "" : ` as ${event.orderId}`}`,
        ...(event.differences ?? []).map(
          ({ field, sent, returned }) => `${field} sent ${sent}, receipt ${returned}`,
        ),
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

/** Text that a spreadsheet would run as a formula, even after whitespace or with full-width characters. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;
/** The same after characters that some spreadsheets treat as a cell boundary even inside quotes. */
const INNER_FORMULA = /([;,|:\t\r\n])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Ids that a spreadsheet would change: it keeps 15 digits, drops leading zeros and reads exponents. */
const CHANGED_NUMBER = /^(?:\d{16,}|0\d+|\d+e\d+)$/i;

/** Text from an exchange may be hostile; a leading apostrophe makes spreadsheets treat a cell as text. */
function cellText(cell: CsvCell, format: CsvFormat): string {
  if (typeof cell !== "string") {
    const figure = "figure" in cell ? cell.figure : plainText(cell);
    return format === "comma" ? figure : figure.replace(".", ",");
  }
  const text = cell.replace(INNER_FORMULA, "$1'");
  return (FORMULA.test(text) || CHANGED_NUMBER.test(text) ? `'${text}` : text).replaceAll('"', '""');
}
