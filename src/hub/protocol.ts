import * as z from "zod/mini";
import { assetPattern, symbolPattern } from "../market/pair.ts";

/**
 * All messages between windows. Schemas are strict: nothing unlisted can be sent, and no field can hold an API key, secret or
 * signature. The format may change freely, because windows of different versions never connect.
 */

/** An asset name of the exchange: too short to hold a key or secret. */
const asset = z.string().check(z.regex(assetPattern));
/** A pair key. */
const symbol = z.string().check(z.regex(symbolPattern));
const time = z.number().check(z.nonnegative(), z.maximum(8.64e15));
/** A price or volume for display. */
const figure = z.optional(z.number());
/** An exact amount of money. */
const decimal = z.string().check(z.regex(/^\d{1,70}(?:\.\d{1,130})?$/));
/** A random id or a digest. */
const hex = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** Market and account. An update applies only to windows with the same two. */
const venue = z.union([z.literal("practice"), z.literal("none"), hex]);
const accountId = z.union([z.literal("practice"), hex]);
/** The id of the account whose key was read. */
const account = z.union([z.literal("none"), accountId]);

/** What one window needs, and whether its user is active. */
const demand = z.strictObject({
  /** Missing while the venue opens; "none" if it is unusable. */
  venue: z.optional(venue),
  /** Missing while the key is being read; "none" if no key is stored. */
  account: z.optional(account),
  /** The id of the account that the window shows. */
  shows: z.optional(accountId),
  focused: z.boolean(),
  /** The user was active in this window recently. */
  active: z.boolean(),
  /** Prices are visible. */
  visible: z.boolean(),
  /** Has alerts waiting for a price. */
  armed: z.boolean(),
  /** The symbols whose prices it wants streamed, the most important ones first. */
  prices: z.optional(z.array(symbol).check(z.maxLength(64))),
  /** The user is placing an order in it. */
  ordering: z.optional(z.boolean()),
  /** Symbols whose open orders are visible; missing if no orders are. */
  orders: z.optional(z.array(symbol).check(z.maxLength(64))),
  /** Symbol whose order book is visible. */
  book: z.optional(symbol),
  /** Refresh interval in ms. */
  intervalMs: z.number().check(z.minimum(10), z.maximum(3_600_000)),
});
export type WindowDemand = z.infer<typeof demand>;

/** A term of Bidside's own code, too short and too plain to hold a key or secret. */
const term = z.string().check(z.regex(/^[a-zA-Z]{1,24}$/));

/** What the last poll's failure means, as needed for another window's error message. */
const problem = z.strictObject({
  meaning: term,
  /** Missing for a failure inside Bidside. */
  endpoint: z.optional(term),
  httpStatus: z.optional(z.int().check(z.minimum(0), z.maximum(999))),
  /** The exchange's error code. Never its own text, which may contain anything. */
  code: z.optional(z.union([z.number(), asset])),
  /** The remainder of a rate limit. An absolute time would be wrong in a window that slept while the clock was set. */
  retryInMs: z.optional(time),
  /** The rate limit applies to all endpoints of the host. */
  limitsHost: z.optional(z.literal(true)),
});
export type SharedProblem = z.infer<typeof problem>;

/** A pair's last 24 hours. Figures that the exchange did not report are missing. */
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

/** Maximum levels per side, and maximum trades. */
const MAX_ROWS = 100;
/** Price and size. */
const levels = z.array(z.tuple([decimal, decimal])).check(z.maxLength(MAX_ROWS));

const subject = z.enum(["market", "balance"]);
export type Subject = z.infer<typeof subject>;

/** Messages sent only by the leader. */
const leaderUpdate = z.discriminatedUnion("type", [
  /** A request is about to be sent. A new leader waits one interval after it before polling. For a balance, `account` is set. */
  z.strictObject({ type: z.literal("poll"), subject, venue, account: z.optional(account), at: time }),
  /** A market snapshot or its changes, in one or more parts. */
  z.strictObject({
    type: z.literal("market"),
    venue,
    /** First part of a snapshot. Pairs missing from all of its parts no longer exist. */
    isNew: z.boolean(),
    isLast: z.boolean(),
    tickers: z.array(ticker),
    /** Missing before the first poll. */
    readAt: z.optional(time),
    unreadable: z.int().check(z.nonnegative()),
    problem: z.optional(problem),
  }),
  /** Newer prices from a stream, and when they arrived. */
  z.strictObject({
    type: z.literal("prices"),
    venue,
    prices: z.array(z.strictObject({ ticker, at: time })).check(z.maxLength(64)),
    /** The stream has ended. */
    isOver: z.boolean(),
  }),
  /** Streamed updates of an order book, for the windows that show it. */
  z.strictObject({
    type: z.literal("book"),
    venue,
    symbol,
    /** When the newest part arrived. */
    at: time,
    depth: z.optional(
      z.strictObject({ asks: levels, bids: levels, unreadable: z.int().check(z.nonnegative()) }),
    ),
    /** Time, rate, size and side, newest first. */
    trades: z.optional(
      z.array(z.tuple([time, decimal, decimal, z.enum(["buy", "sell"])])).check(z.maxLength(MAX_ROWS)),
    ),
  }),
  z.strictObject({
    type: z.literal("balance"),
    venue,
    account,
    /** Asset, available, reserved; the asset alone if its balance cannot be read. Missing before the wallet was first read. */
    wallet: z.optional(z.array(z.union([z.tuple([asset, decimal, decimal]), z.tuple([asset])]))),
    readAt: z.optional(time),
    problem: z.optional(problem),
  }),
  /** Whether the newest responses about the account's orders had parts that could not be read. */
  z.strictObject({ type: z.literal("orders"), venue, account, isUnreadable: z.boolean() }),
  /** The exchange's clock: offset in ms to add to the local clock, and when it was measured. */
  z.strictObject({ type: z.literal("clock"), venue, offset: z.number(), at: time }),
]);
export type LeaderUpdate = z.infer<typeof leaderUpdate>;

/** Messages from any window to all others. */
const announcement = z.discriminatedUnion("type", [
  /** The journal has new records: reload it. */
  z.strictObject({ type: z.literal("ordersChanged") }),
  /** The alerts changed: reload them. */
  z.strictObject({ type: z.literal("alertsChanged") }),
  /** The watch lists changed: reload them. */
  z.strictObject({ type: z.literal("watchListsChanged") }),
  /** The list of accounts changed: reload it. */
  z.strictObject({ type: z.literal("accountsChanged") }),
  /** The lines drawn in charts changed: reload them. */
  z.strictObject({ type: z.literal("linesChanged") }),
  /** A channel of notifications failed, or works again: reload the problems. */
  z.strictObject({ type: z.literal("channelsChanged") }),
  /** The holdings that the user entered changed: reload them. */
  z.strictObject({ type: z.literal("holdingsChanged") }),
  /** The value of an account was recorded: reload it. */
  z.strictObject({ type: z.literal("valuesChanged") }),
  /** A bid was sent, so the balance has changed. */
  z.strictObject({ type: z.literal("balanceChanged") }),
]);
export type Announcement = z.infer<typeof announcement>;

export function isAnnouncement(message: { readonly type: string }): message is Announcement {
  return announcement.safeParse(message).success;
}

/** Requests from any window to the leader: poll now. */
const request = z.discriminatedUnion("type", [z.strictObject({ type: z.literal("refresh"), subject })]);
export type Request = z.infer<typeof request>;

const ownDemand = z.strictObject({ type: z.literal("demand"), demand });

/** The leader's heartbeat. */
const beat = z.strictObject({ type: z.literal("beat") });

/** All messages from the leader to a follower, and back. */
export const fromLeader = z.discriminatedUnion("type", [leaderUpdate, announcement, ownDemand, beat]);
export const fromFollower = z.discriminatedUnion("type", [request, announcement, ownDemand]);
export type FromLeader = z.infer<typeof fromLeader>;
export type FromFollower = z.infer<typeof fromFollower>;

/** Handshake: each side proves knowledge of the token over two nonces. The token itself is never sent. */
const nonce = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const challenge = z.strictObject({ nonce });
export const answer = z.strictObject({ nonce, proof: nonce });
export const proof = z.strictObject({ proof: nonce });
