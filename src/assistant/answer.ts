import { maskFigures } from "../market/numbers/hiddenFigures.ts";

/** A tool's result: data for the model, or the reason there is none. */
export type Answer = { readonly data: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Maximum length of a result, in characters. Every tool stays well below it. */
export const LONGEST_ANSWER = 48_000;
const LONGEST_FOREIGN = 160;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Characters that start markup, tags, links, code fences or templates. */
const MARKUP = /[<>`*_~#|\\[\]{}$@&=^]+|(?<=:)\/\/|(?<=www)\./giu;

/**
 * Sanitizes text from the exchange or another user into one short line: no control characters, markup or links. Callers must put
 * it into a field whose name marks it as untrusted.
 */
export function foreignWords(text: string, areAmountsHidden: boolean): string {
  const line = text
    .slice(0, 4 * LONGEST_FOREIGN)
    .replace(/\s+/g, " ")
    .replace(UNPRINTABLE, "")
    .replace(MARKUP, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const shown = areAmountsHidden ? maskFigures(line) : line;
  return shown.length <= LONGEST_FOREIGN ? shown : `${shown.slice(0, LONGEST_FOREIGN - 1).toWellFormed()}…`;
}

export function answerText(answer: Answer): string {
  const text = JSON.stringify("data" in answer ? answer.data : answer);
  return text.length <= LONGEST_ANSWER
    ? text
    : JSON.stringify({ problem: "The answer is too long. Ask for less." });
}
