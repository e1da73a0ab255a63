import * as z from "zod/mini";
import { assetPattern, symbolPattern } from "../../market/pair.ts";

const texts = new Map<string, string>();

/** Interns a string: thousands of orders hold and compare the same few. */
function intern(text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

/** Free text of a record is cut to this length. */
export const MAX_TEXT = 500;
const LATEST_DATE = 8.64e15;

/** ms since the epoch. */
export const at = z.int().check(z.nonnegative(), z.lte(LATEST_DATE));
export const id = z.uuid();
export const decimal = z.string().check(z.regex(/^(?:0|[1-9]\d{0,120})(?:\.\d{1,120})?$/));
/** A decimal that may be negative. */
export const signedDecimal = z.string().check(z.regex(/^-?(?:0|[1-9]\d{0,120})(?:\.\d{1,120})?$/));
export const asset = z.string().check(z.regex(assetPattern));
/** A pair key. */
export const symbol = z.string().check(z.regex(symbolPattern));
/** Scheme, host and port of an exchange; never a path or user name. */
export const origin = z.string().check(z.regex(/^https?:\/\/[^\s/?#@\\]{1,300}$/), z.overwrite(intern));
/** The id of a live account. */
export const account = z.string().check(z.regex(/^[0-9a-f]{16}$/), z.overwrite(intern));
/** The keyed digest of an API key (`AccountKeys`). */
export const keyDigest = z.string().check(z.regex(/^[0-9a-f]{16}$/));
export const text = z.string().check(z.maxLength(MAX_TEXT));
export const side = z.enum(["buy", "sell"]);
/** A client order id, ours or another program's. */
export const clientId = z.string().check(z.minLength(1), z.maxLength(200));
/** The exchange's order id. */
export const orderId = z.string().check(z.minLength(1), z.maxLength(200));
