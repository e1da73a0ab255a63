import * as z from "zod/mini";
import { endpointNames } from "../market/endpoints.ts";
import { assetPattern, symbolPattern } from "../market/pair.ts";

/**
 * All messages between windows. Strict: only what is listed here can be sent, and nothing here has room for an API
 * key, a secret or a signature. Changes are easy, because windows of different versions never meet.
 */

/** A name that an exchange gave: too short for a key or secret. */
const asset = z.string().check(z.regex(assetPattern));
/** The key of a pair. */
const symbol = z.string().check(z.regex(symbolPattern));
const time = z.number().check(z.nonnegative(), z.maximum(8.64e15));
/** A price or volume for display. */
const figure = z.optional(z.number());
/** Money, exactly. */
const decimal = z.string().check(z.regex(/^\d{1,70}(?:\.\d{1,130})?$/));
/** A digest of something that only the windows know. Equal digests mean equal things. */
const digest = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** The market and the account. Readings are for windows with exactly the same two. */
const venue = z.union([z.literal("practice"), z.literal("none"), digest]);
const account = z.union([z.literal("none"), digest]);

/** The demand of one window, and whether a person uses the window. */
const demand = z.strictObject({
  /** Missing while the venue opens; "none" if it cannot be used. */
  venue: z.optional(venue),
  /** Missing while the key is looked up; "none" if no key is stored. */
  account: z.optional(account),
  focused: z.boolean(),
  /** The person used this window a moment ago. */
  active: z.boolean(),
  /** Prices are visible in it. */
  visible: z.boolean(),
  /** It has alerts that wait for a price. */
  armed: z.boolean(),
  /** The symbols whose open orders a person looks at in it; missing while nobody looks at orders. */
  orders: z.optional(z.array(symbol).check(z.maxLength(64))),
  /** The symbol whose book a person looks at in it. */
  book: z.optional(symbol),
  /** Its refresh interval, in ms. */
  intervalMs: z.number().check(z.minimum(10), z.maximum(3_600_000)),
});
export type WindowDemand = z.infer<typeof demand>;

const endpoint = z.enum(endpointNames);
const httpStatus = z.int().check(z.minimum(0), z.maximum(999));

/**
 * Why the newest round failed, as far as another window needs it for its message. `retryInMs` is the rest of a rate limit,
 * in ms from now: a time of the clock would be wrong in a window that slept while the clock was set.
 */
const problem = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("notSent"),
    endpoint,
    reason: z.enum([
      "unreachable",
      "hostNotFound",
      "connectionRefused",
      "handshake",
      "proxySignIn",
      "proxyRefused",
      "certificate",
      "insecure",
      "noCredentials",
      "credentialsUnreadable",
      "notOffered",
      "tooLate",
      "badCredentials",
      "keyChanged",
      "clockUnknown",
      "blocked",
    ]),
    retryInMs: z.optional(time),
  }),
  z.strictObject({ kind: z.literal("noAnswer"), endpoint, reason: z.enum(["timeout", "connectionLost"]) }),
  z.strictObject({
    kind: z.literal("refused"),
    endpoint,
    /** Not the exchange's own text, which may repeat anything. */
    code: z.union([z.number(), asset]),
    httpStatus,
    retryInMs: z.optional(time),
  }),
  z.strictObject({
    kind: z.literal("unreadable"),
    endpoint,
    reason: z.enum([
      "httpStatus",
      "challenge",
      "maintenance",
      "notJson",
      "shape",
      "contradictory",
      "symbolOrder",
      "tooLarge",
      "redirect",
    ]),
    httpStatus,
  }),
  z.strictObject({ kind: z.literal("internal") }),
]);
export type SharedProblem = z.infer<typeof problem>;

/** A pair's last 24 hours. Figures that the exchange did not give are missing. */
const ticker = z.strictObject({
  symbol,
  pair: z.strictObject({ quote: asset, base: asset }),
  last: figure,
  bestBid: figure,
  bestAsk: figure,
  high: figure,
  low: figure,
  baseVolume: figure,
  quoteVolume: figure,
  percentChange: figure,
  frozen: z.boolean(),
});

/** The most levels of a side, and the most trades. */
const MOST_ROWS = 100;
/** Price and size. */
const levels = z.array(z.tuple([decimal, decimal])).check(z.maxLength(MOST_ROWS));

const subject = z.enum(["market", "balance"]);
export type Subject = z.infer<typeof subject>;

/** Messages that only the leader sends. */
const reading = z.discriminatedUnion("type", [
  /**
   * A request is about to be sent. The next leader asks again only after an interval. A request for a balance belongs
   * to an account.
   */
  z.strictObject({ type: z.literal("asked"), subject, venue, account: z.optional(account), at: time }),
  /** The market or its changes, in as many parts as needed. */
  z.strictObject({
    type: z.literal("market"),
    venue,
    /** The first part of a whole market. Pairs that are missing in it and in the following parts do not exist. */
    isNew: z.boolean(),
    /** The last part. */
    isLast: z.boolean(),
    tickers: z.array(ticker),
    /** Missing before the first reading. */
    readAt: z.optional(time),
    unreadable: z.int().check(z.nonnegative()),
    problem: z.optional(problem),
    /** Present in every part while the prices come from a stream: the newest arrival, and the pairs with an older price. */
    live: z.optional(z.strictObject({ at: time, quiet: z.array(z.tuple([symbol, time])) })),
  }),
  /** News of a book from its stream, for the windows that show it. */
  z.strictObject({
    type: z.literal("book"),
    venue,
    symbol,
    /** The arrival of the newest part. */
    at: time,
    /** False: the connection is gone. */
    isUp: z.boolean(),
    depth: z.optional(
      z.strictObject({ asks: levels, bids: levels, unreadable: z.int().check(z.nonnegative()) }),
    ),
    /** Time, rate, size and side, the newest first. */
    trades: z.optional(
      z.array(z.tuple([time, decimal, decimal, z.enum(["buy", "sell"])])).check(z.maxLength(MOST_ROWS)),
    ),
  }),
  z.strictObject({
    type: z.literal("balance"),
    venue,
    account,
    /**
     * Asset, available, reserved; the asset alone if its balance cannot be read. Missing before the first reading of
     * a wallet.
     */
    wallet: z.optional(z.array(z.union([z.tuple([asset, decimal, decimal]), z.tuple([asset])]))),
    readAt: z.optional(time),
    problem: z.optional(problem),
  }),
  /** The exchange's clock: ms to add to this computer's clock, and the time of the measurement. */
  z.strictObject({ type: z.literal("clock"), venue, offset: z.number(), at: time }),
]);
export type Reading = z.infer<typeof reading>;

/** The messages of any window to all others. */
const announcement = z.discriminatedUnion("type", [
  /** The journal has new records: read it again. */
  z.strictObject({ type: z.literal("ordersChanged") }),
  /** The alerts have changed: read them again. */
  z.strictObject({ type: z.literal("alertsChanged") }),
  /** A bid was sent, so the balance has changed. */
  z.strictObject({ type: z.literal("balanceChanged") }),
]);
export type Announcement = z.infer<typeof announcement>;

export function isAnnouncement(message: { readonly type: string }): message is Announcement {
  return announcement.safeParse(message).success;
}

/** The requests of any window to the leader: a new reading. */
const request = z.discriminatedUnion("type", [z.strictObject({ type: z.literal("refresh"), subject })]);
export type Request = z.infer<typeof request>;

const ownDemand = z.strictObject({ type: z.literal("demand"), demand });

/** Shows that the leader is alive. */
const beat = z.strictObject({ type: z.literal("beat") });

/** All messages from the leader to a follower, and the other way round. */
export const fromLeader = z.discriminatedUnion("type", [reading, announcement, ownDemand, beat]);
export const fromFollower = z.discriminatedUnion("type", [request, announcement, ownDemand]);
export type FromLeader = z.infer<typeof fromLeader>;
export type FromFollower = z.infer<typeof fromFollower>;

/** First of all, both sides prove that they know the token, over two random numbers; the token itself is not sent. */
const nonce = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const challenge = z.strictObject({ nonce });
export const answer = z.strictObject({ nonce, proof: nonce });
export const proof = z.strictObject({ proof: nonce });
