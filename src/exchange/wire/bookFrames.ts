import type { Depth } from "../../market/book/book.ts";
import type { PublicTrade } from "../../market/book/publicTrade.ts";
import { isRecord, parseExact } from "./exactJson.ts";
import { mayRepeat, readFrame } from "../stream/frames.ts";
import { decodeDepth } from "./depth.ts";
import { countOf, fieldsOf, listOf } from "./fields.ts";
import { decodeTrades } from "./trades.ts";

/** An update from a book stream: the whole book, or the latest trades, newest first. */
export type BookNews = { readonly depth: Depth } | { readonly trades: readonly PublicTrade[] };

/** Book stream events that are used; all others are ignored. */
export type BookEvent = "depthchanged" | "tradeschanged";

/** A hundred levels per side take 20 KB. */
const BOUNDS = { longest: 128 * 1024, deepest: 5 };
const KEYS = ["event", "data", "pairing_id", "bids", "asks"];
const LARGEST_ID = 999_999_999;
const NO_STATUS = 0;

/**
 * The event of a frame, detected without parsing; undefined for ignored events, which are the majority at some services.
 */
export function bookEventOf(text: string): BookEvent | undefined {
  if (text.includes('"depthchanged"')) return "depthchanged";
  return text.includes('"tradeschanged"') ? "tradeschanged" : undefined;
}

/**
 * Decodes a frame `{"event","data","pairing_id"}`. Undefined for another pair or event, an unknown shape, or a frame beyond
 * the bounds. A level's size is its `base_volume`.
 */
export function decodeBookFrame(text: string, pairingId: number): BookNews | undefined {
  const frame = mayRepeat(text, KEYS) ? undefined : readFrame(text, BOUNDS, parseExact);
  if (!isRecord(frame) || countOf(frame["pairing_id"], LARGEST_ID) !== pairingId) return undefined;
  const { event, data } = frame;
  if (event === "depthchanged") {
    const depth = isRecord(data) ? decodeDepth(payload(pairsOfSides(data))) : undefined;
    return depth && { depth };
  }
  const trades =
    event === "tradeschanged" && Array.isArray(data) ? decodeTrades(payload(data[0])) : undefined;
  return trades && { trades };
}

/** Converts both sides to `[price, size]`, as in a response to a request. */
function pairsOfSides({ asks, bids }: Readonly<Record<string, unknown>>): unknown {
  return { asks: pairsOf(asks), bids: pairsOf(bids) };
}

function pairsOf(side: unknown): unknown {
  return listOf(side)?.map((level) => {
    const { price, base_volume: size } = fieldsOf(level);
    return [price, size];
  });
}

function payload(content: unknown): Parameters<typeof decodeDepth>[0] {
  return { content, enveloped: false, status: NO_STATUS };
}
