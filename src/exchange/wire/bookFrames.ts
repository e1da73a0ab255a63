import type { Depth } from "../../market/book/book.ts";
import type { Trade } from "../../market/book/trade.ts";
import { isRecord, parseExact } from "../../market/exactJson.ts";
import { mayRepeat, readFrame } from "../stream/frames.ts";
import { decodeDepth } from "./depth.ts";
import { countOf, fieldsOf, listOf } from "./fields.ts";
import { decodeTrades } from "./trades.ts";

/** What one frame of a book stream tells: the whole book, or the newest trades, the newest first. */
export type BookNews = { readonly depth: Depth } | { readonly trades: readonly Trade[] };

/** The frames of a book stream that are read; all others are noise. */
export type BookEvent = "depthchanged" | "tradeschanged";

/** A hundred levels of each side have 20 KB. */
const BOUNDS = { longest: 128 * 1024, deepest: 5 };
const KEYS = ["event", "data", "pairing_id", "bids", "asks"];
const LARGEST_ID = 999_999_999;
const NO_STATUS = 0;

/** What a frame seems to tell, without parsing it; undefined for noise, of which some services send most. */
export function bookEventOf(text: string): BookEvent | undefined {
  if (text.includes('"depthchanged"')) return "depthchanged";
  return text.includes('"tradeschanged"') ? "tradeschanged" : undefined;
}

/**
 * Reads a frame `{"event","data","pairing_id"}` of the pair with this number. Undefined for another pair, another event, an
 * unknown shape, and beyond the bounds. `base_volume` is the size of a level.
 */
export function decodeBookFrame(text: string, pairingId: number): BookNews | undefined {
  const frame = mayRepeat(text, KEYS) ? undefined : readFrame(text, BOUNDS, parseExact);
  if (!isRecord(frame) || countOf(frame["pairing_id"], LARGEST_ID) !== pairingId) return undefined;
  const { event, data } = frame;
  if (event === "depthchanged") {
    const depth = isRecord(data) ? decodeDepth(payload(pairsOfSides(data))) : undefined;
    return depth && { depth };
  }
  const rows = event === "tradeschanged" && Array.isArray(data) ? decodeTrades(payload(data[0])) : undefined;
  return rows && { trades: rows.trades };
}

/** The sides as an answer to a request has them: `[price, size]` each. */
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
