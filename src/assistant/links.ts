import { parseDecimal } from "../market/numbers/decimal.ts";
import { plainOf } from "../market/numbers/typedDecimal.ts";
import type { Side } from "../market/order.ts";
import { symbolPattern } from "../market/pair.ts";

/** A parsed deep link. Amount and rate are decimal text, or "" if absent. */
export type Link =
  | { readonly kind: "pair"; readonly pair: string }
  | {
      readonly kind: "order";
      readonly side: Side;
      readonly pair: string;
      readonly amount: string;
      readonly rate: string;
    };

/** Why a link is rejected. `part` is the offending part: one of ours, or untrusted text cut to one word. */
export type LinkProblem =
  | { readonly kind: "unknownPath" }
  | { readonly kind: "unknownPart" | "repeatedPart" | "missingPart" | "wrongPart"; readonly part: string };

const PARTS: ReadonlySet<string> = new Set(["side", "pair", "amount", "rate"]);
const LONGEST = 500;

/**
 * Parses the path and query of a link, percent-encoded or decoded: `/pair/THB_BTC`, or
 * `/order?side=buy&pair=THB_BTC&amount=1000&rate=2950000`. Everything else is rejected.
 */
export function readLink(path: string, query: string): Link | LinkProblem {
  if (path.length + query.length > LONGEST) return { kind: "unknownPath" };
  const [, pair] = /^\/pair\/([^/]+)$/.exec(path) ?? [];
  if (pair !== undefined) {
    if (query !== "") return { kind: "unknownPart", part: wordOf(query) };
    return symbolPattern.test(pair) ? { kind: "pair", pair } : { kind: "wrongPart", part: "pair" };
  }
  return path === "/order" ? readOrder(query) : { kind: "unknownPath" };
}

function readOrder(query: string): Link | LinkProblem {
  const parts = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARTS.has(name)) return { kind: "unknownPart", part: wordOf(name) };
    if (parts.has(name)) return { kind: "repeatedPart", part: name };
    parts.set(name, value);
  }
  const [side, pair] = [parts.get("side"), parts.get("pair")];
  if (side === undefined || pair === undefined)
    return { kind: "missingPart", part: side === undefined ? "side" : "pair" };
  if (side !== "buy" && side !== "sell") return { kind: "wrongPart", part: "side" };
  if (!symbolPattern.test(pair)) return { kind: "wrongPart", part: "pair" };
  const [amount, rate] = ["amount", "rate"].map((part) => {
    const text = parts.get(part);
    return text === undefined ? undefined : plainOf(text);
  });
  for (const [part, text] of [
    ["amount", amount],
    ["rate", rate],
  ] as const)
    if (text !== undefined && !parseDecimal(text)?.gt("0")) return { kind: "wrongPart", part };
  return { kind: "order", side, pair, amount: amount ?? "", rate: rate ?? "" };
}

function wordOf(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .slice(0, 24);
}
