import { hasCodeForm } from "../../exchange/serviceCodes.ts";

/** Formats an exchange's error code. `shown` may mask amounts in a code that is a sentence. */
export function codeText(code: number | string, shown: (text: string) => string): string {
  return typeof code === "number" || hasCodeForm(code) ? String(code) : shown(code);
}
