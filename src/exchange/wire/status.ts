import type { Decimal } from "../../market/numbers/decimal.ts";
import { redact } from "../redact.ts";
import type { Payload } from "./envelope.ts";
import { amountOf, fieldsOf, rowsOf } from "./fields.ts";

/** A service component and its status. Untrusted text, cut and redacted: escape before display. */
export interface ServicePart {
  readonly name: string;
  readonly isOk: boolean;
  readonly message: string;
}

const MOST_PARTS = 100;

/** Undefined for another shape, or if none of the components has a name. */
export function decodeStatus(payload: Payload): readonly ServicePart[] | undefined {
  const rows = rowsOf(payload);
  const { repeated } = payload;
  if (!rows) return undefined;
  const parts = rows.slice(0, MOST_PARTS).flatMap((row, index) => {
    const { name, status, message } = fieldsOf(row);
    if (typeof name !== "string" || name === "" || repeated?.has(String(index))) return [];
    const isOk = typeof status === "string" && /^(?:ok|up|operational)$/i.test(status);
    return [{ name: redact(name), isOk, message: typeof message === "string" ? redact(message) : "" }];
  });
  return parts.length === 0 && rows.length > 0 ? undefined : parts;
}

/** Fee credits, in quote. */
export function decodeFeeCredits({ content, enveloped }: Payload): Decimal | undefined {
  return enveloped ? amountOf(content) : undefined;
}
