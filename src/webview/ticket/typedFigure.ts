import type { Figures } from "../../market/numbers/figures.ts";
import { plainOf } from "../../market/numbers/typedDecimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";

const isDigit = (character: string | undefined): boolean => /\d/.test(character ?? "");

/** The position in `to` that follows the same digits, and the decimal point if it precedes `at`, as `at` in `from`. */
export function samePosition(from: string, at: number, to: string): number {
  const digits = from.slice(0, at).replaceAll(/\D/g, "").length;
  let position = 0;
  for (let passed = 0; passed < digits && position < to.length; position += 1)
    if (isDigit(to[position])) passed += 1;
  const isAfterPoint = at > 0 && !isDigit(from[at - 1]) && position < to.length && !isDigit(to[position]);
  return isAfterPoint ? position + 1 : position;
}

/**
 * The plain decimal that typed text means in the editor's language, with or without the name of its asset; the text itself if
 * it has no meaning, or several.
 */
export function typedFigure(text: string, figures: Figures, asset: string): string {
  return plainOf(text, { figures, units: unitNames(asset) });
}
