import * as z from "zod/mini";

/**
 * Everything that windows say to each other. Strict: what is not listed here cannot be said, and nothing here has room
 * for an API key, a secret or a signature. Change it freely: windows of different versions never meet.
 */

/** A name that a service gave: too short for a key or secret. */
const asset = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/));
/** Two of them, as the service writes a pair. */
const symbol = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,23}_[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/));
const time = z.number().check(z.nonnegative(), z.maximum(8.64e15));
/** A price or volume for display; null where the service gave none. */
const figure = z.nullable(z.number());
/** Money, exactly. */
const decimal = z.string().check(z.regex(/^\d{1,70}(?:\.\d{1,130})?$/));
/** A digest that stands for something only the windows know: equal digests, equal things. */
const digest = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** Which market, and which account there. Readings are for those who ask for the very same. */
const venue = z.union([z.literal("practice"), z.literal("none"), digest]);
const account = z.union([z.literal("none"), digest]);

/** What one window wants, and how much it is looked at. */
const need = z.strictObject({
  /** Missing while it opens; "none" where it cannot be used. */
  venue: z.optional(venue),
  /** Missing while it is looked up; "none" where no key is stored. */
  account: z.optional(account),
  focused: z.boolean(),
  /** The person was in this window a moment ago. */
  active: z.boolean(),
  /** Prices are on screen in it. */
  visible: z.boolean(),
  /** It has alerts that wait for a price. */
  armed: z.boolean(),
  /** The refresh interval set for it, ms. */
  intervalMs: z.number().check(z.minimum(10), z.maximum(3_600_000)),
});
export type Need = z.infer<typeof need>;

const endpoint = z.enum(["serverTime", "tickers", "wallet", "placeBid", "history"]);
const httpStatus = z.int().check(z.minimum(0), z.maximum(999));

/** Why the newest round failed, as far as another window needs it to say so. */
const problem = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("notSent"),
    endpoint,
    reason: z.enum([
      "unreachable",
      "certificate",
      "insecure",
      "noCredentials",
      "credentialsUnreadable",
      "tooLate",
      "badCredentials",
      "clockUnknown",
      "blocked",
    ]),
    retryAt: z.optional(time),
  }),
  z.strictObject({ kind: z.literal("noAnswer"), endpoint, reason: z.enum(["timeout", "connectionLost"]) }),
  z.strictObject({
    kind: z.literal("refused"),
    endpoint,
    /** Not the service's own words: it may repeat anything in them. */
    code: z.union([z.number(), asset]),
    httpStatus,
    retryAt: z.optional(time),
  }),
  z.strictObject({
    kind: z.literal("unreadable"),
    endpoint,
    reason: z.enum(["httpStatus", "notJson", "shape", "contradictory", "tooLarge", "redirect"]),
    httpStatus,
  }),
  z.strictObject({ kind: z.literal("internal") }),
]);
export type SharedProblem = z.infer<typeof problem>;

/** Symbol, quote, base, last, best bid, best ask, high, low, base volume, quote volume, change in percent, frozen. */
const ticker = z.tuple([
  symbol,
  asset,
  asset,
  z.number(),
  figure,
  figure,
  figure,
  figure,
  figure,
  figure,
  figure,
  z.boolean(),
]);
export type SharedTicker = z.infer<typeof ticker>;

const subject = z.enum(["market", "balance"]);
export type Subject = z.infer<typeof subject>;

/** What only the leader says. */
const reading = z.discriminatedUnion("type", [
  /** A request is about to go out: whoever leads next asks no sooner than an interval after it. A balance's is an account's. */
  z.strictObject({ type: z.literal("asked"), subject, venue, account: z.optional(account), at: time }),
  /** The market, or what changed in it, in as many parts as it takes. */
  z.strictObject({
    type: z.literal("market"),
    venue,
    /** The first part of a whole market: what it and those after it do not list is not there. */
    isNew: z.boolean(),
    /** The part that completes it. */
    isLast: z.boolean(),
    tickers: z.array(ticker),
    /** Missing where none was ever read. */
    readAt: z.optional(time),
    unreadable: z.int().check(z.nonnegative()),
    problem: z.optional(problem),
  }),
  z.strictObject({
    type: z.literal("balance"),
    venue,
    account,
    /** Asset, available, reserved; the asset alone where its balance cannot be read. Missing where no wallet was ever read. */
    wallet: z.optional(z.array(z.union([z.tuple([asset, decimal, decimal]), z.tuple([asset])]))),
    readAt: z.optional(time),
    problem: z.optional(problem),
  }),
  /** The service's clock: ms to add to this machine's, and when that was measured. */
  z.strictObject({ type: z.literal("clock"), venue, offset: z.number(), at: time }),
]);
export type Reading = z.infer<typeof reading>;

/** What any window says to all others. */
const announcement = z.discriminatedUnion("type", [
  /** The journal has something new: read it again. */
  z.strictObject({ type: z.literal("ordersChanged") }),
  /** The list of alerts has: read it again. */
  z.strictObject({ type: z.literal("alertsChanged") }),
  /** A bid was sent: the balance is another one now. */
  z.strictObject({ type: z.literal("balanceChanged") }),
]);
export type Announcement = z.infer<typeof announcement>;

/** What any window asks of the leader: to read it anew. */
const request = z.discriminatedUnion("type", [z.strictObject({ type: z.literal("refresh"), subject })]);
export type Request = z.infer<typeof request>;

const ownNeed = z.strictObject({ type: z.literal("need"), need });

/** Shows that the leader is alive. */
const beat = z.strictObject({ type: z.literal("beat") });

/** Everything that the leader may say to a follower, and the other way round. */
export const fromLeader = z.discriminatedUnion("type", [reading, announcement, ownNeed, beat]);
export const fromFollower = z.discriminatedUnion("type", [request, announcement, ownNeed]);
export type FromLeader = z.infer<typeof fromLeader>;
export type FromFollower = z.infer<typeof fromFollower>;

/** Before anything else: both sides prove that they know the token, over two random numbers; the token itself is not said. */
const nonce = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const challenge = z.strictObject({ nonce });
export const answer = z.strictObject({ nonce, proof: nonce });
export const proof = z.strictObject({ proof: nonce });
