import type { HttpRequest } from "../../src/exchange/http/transport.ts";
import { RESET_PATH } from "../../src/practice/http/routes.ts";
import { PracticeService } from "../../src/practice/http/service.ts";
import type { Answer } from "../../src/practice/http/faults.ts";
import type { PracticeCredentials } from "../../src/practice/http/signatureCheck.ts";
import { Ledger } from "../../src/practice/account/ledger.ts";
import { readEvent } from "../../src/practice/account/events.ts";
import { LISTINGS } from "../../src/practice/market/listings.ts";
import { createMarket, type Market } from "../../src/practice/market/market.ts";
import { signedHeaders } from "../support/builders/practiceRequest.ts";

/** Few pairs, because a world reads its market thousands of times. One pair is frozen. */
const PAIRS = new Set(["BTC", "ETH", "ZIL"]);

/** A world's market. Each ticker's quote volume is the time of its reading, so a check can compare ages. */
function datedMarket(seed: string): Market {
  const market = createMarket(
    seed,
    LISTINGS.filter(({ base }) => PAIRS.has(base)),
  );
  return {
    ...market,
    tickersAt: (at) => market.tickersAt(at).map((ticker) => ({ ...ticker, quoteVolume: at })),
  };
}

/** An exchange of the world: the practice exchange's own code, and all bids that it accepted. */
export class WorldExchange {
  readonly credentials: PracticeCredentials;
  readonly records: unknown[] = [];
  /** Amounts of the accepted bids. Each draft of the world has a different amount. */
  readonly accepted = new Set<string>();
  isUp = true;
  #service: PracticeService;
  readonly #market: Market;
  readonly #now: () => number;

  /** `now` is the exchange's clock, ms since the epoch. */
  constructor(name: string, now: () => number) {
    this.credentials = { apiKey: `${name}-key`, apiSecret: `${name}-secret` };
    this.#market = datedMarket(name);
    this.#now = now;
    this.#service = this.#start();
  }

  /** Builds the ledger again from its log. */
  restart(): void {
    this.#service = this.#start();
  }

  /** Resets the account for its owner. Rejects while the exchange is down. */
  async reset(): Promise<void> {
    if (!this.isUp) throw new Error("The exchange is down.");
    const headers = signedHeaders("POST", RESET_PATH, "", Math.floor(this.#now()), this.credentials);
    await this.#service.answer({
      method: "POST",
      path: RESET_PATH,
      headers: lowerCase(headers),
      body: Buffer.alloc(0),
    });
  }

  async answer({ method, url, headers, body = Buffer.alloc(0) }: HttpRequest): Promise<Answer | "reset"> {
    const path = url.pathname + url.search;
    return this.#service.answer({ method, path, headers: lowerCase(headers), body });
  }

  /** True if available and reserved amounts, and what fills took and brought, add up to the start balance. */
  get conserves(): boolean {
    const ledger = new Ledger();
    let spent = 0;
    /** The amount that each bid still has to spend; asks are not in it. */
    const bids = new Map<number, number>();
    for (const record of this.records) {
      const event = readEvent(record);
      ledger.apply(event);
      if (event.kind === "reset") spent = 0;
      if (event.kind === "bid") bids.set(event.id, Number(event.amount.toFixed()));
      if (!("fill" in event) || !event.fill) continue;
      const left = bids.get(event.id);
      const amount = event.kind === "partFilled" ? Number(event.fill.amount.toFixed()) : left;
      if (left === undefined) spent -= Number(event.fill.quantity.toFixed());
      else {
        spent += amount ?? 0;
        bids.set(event.id, left - (amount ?? 0));
      }
    }
    const { available, reserved } = ledger.wallet().get("THB") ?? {};
    const left = Number(available?.toFixed() ?? 0) + Number(reserved?.toFixed() ?? 0);
    return Math.abs(left + spent - 1_000_000) < 1e-6;
  }

  #start(): PracticeService {
    const { credentials, records, accepted } = this;
    const append = (record: unknown): void => {
      records.push(record);
      const event = readEvent(record);
      if (event.kind === "bid") accepted.add(event.amount.toFixed());
    };
    const log = { records: [...records], append };
    const never = (): Promise<never> => Promise.reject(new Error("No delay is planned."));
    return new PracticeService({ credentials, now: this.#now, log }, this.#market, never);
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
