import type { Payload } from "./payload.ts";
import { amountOf, fieldsOf, rowsOf } from "./fields.ts";

/** Whether a response lists the status of service components. */
export function isStatus(payload: Payload): boolean {
  const rows = rowsOf(payload);
  return rows !== undefined && (rows.length === 0 || rows.some((row) => hasText(fieldsOf(row)["name"])));
}

/** Whether a response is an amount of fee credits. */
export function isFeeCredits({ content, enveloped }: Payload): boolean {
  return enveloped && amountOf(content) !== undefined;
}

function hasText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
