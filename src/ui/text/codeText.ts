import { hasCodeForm } from "../../exchange/serviceCodes.ts";

/** An error code of an exchange for people. `shown` may mask the amounts of a code that is a sentence. */
export function codeText(code: number | string, shown: (text: string) => string): string {
  return typeof code === "number" || hasCodeForm(code) ? String(code) : shown(code);
}
