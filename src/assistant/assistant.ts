import type { Desk } from "../desk/desk.ts";
import { Disposable } from "../desk/disposable.ts";
import { errorLine } from "../desk/errorLine.ts";
import { pairName } from "../market/pair.ts";
import { type AccessLevel, allows, isToolName, type ToolName, toolsWithin } from "./access.ts";
import { readAccount, readOrders } from "./accountTools.ts";
import { type AlertSuggestion, listAlerts, suggestAlert } from "./alertTool.ts";
import { type Answer, answerText } from "./answer.ts";
import { type Input, readInput } from "./inputs.ts";
import { noExchange, readOrderBook, readCandles, readMarkets, refreshPrices } from "./marketTools.ts";
import { prepareOrder } from "./orderTool.ts";
import type { PreparedDrafts } from "./preparedDrafts.ts";
import { APART_MS } from "./preparedSlot.ts";

export interface AssistantOptions {
  readonly desk: Desk;
  /** Read on every call, so that a changed setting takes effect at once. */
  readonly level: () => AccessLevel;
  readonly areAmountsHidden: () => boolean;
  /** The asset that the user sees values in; "" lets the account decide. */
  readonly valuesIn: () => string;
  readonly drafts: PreparedDrafts;
  readonly confirmAlert: (suggestion: AlertSuggestion) => Promise<boolean>;
}

/** A result serialized for the model: one line of JSON. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Limits on concurrent calls and on calls per minute, so that a model in a loop cannot exhaust the exchange's rate limits. */
const MAX_CONCURRENT = 4;
const MAX_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * The assistant tools of one window. Whatever a call contains, it reads no more than the access level allows, and its only
 * effects are opening the order ticket and asking the user about an alert.
 */
export class Assistant extends Disposable {
  readonly #options: AssistantOptions;
  #running = 0;
  #begun: number[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(options: AssistantOptions) {
    super();
    this.#options = options;
    this.register(options.drafts);
  }

  /** Tools available at the current access level. */
  get tools(): readonly ToolName[] {
    return toolsWithin(this.#options.level());
  }

  /** Never rejects. `input` is unchecked. */
  async call(name: string, input: unknown): Promise<CallResult> {
    const answer = await this.#answer(name, input);
    return { text: answerText(answer), isError: "problem" in answer };
  }

  async #answer(name: string, input: unknown): Promise<Answer> {
    const { level, desk } = this.#options;
    if (!isToolName(name) || !allows(level(), name))
      return { problem: "The user's setting bidside.assistant.access does not allow this tool." };
    if (!this.#begins()) return { problem: "Too many calls. Wait a minute." };
    this.#running += 1;
    try {
      return await this.#run(name, input);
    } catch (error) {
      desk.log.warn(`${name}: ${errorLine(error)}`);
      return { problem: "The tool failed. Bidside's log has the reason." };
    } finally {
      this.#running -= 1;
    }
  }

  #begins(): boolean {
    const now = this.#options.desk.timers.now();
    this.#begun = this.#begun.filter((at) => at <= now && now - at < MINUTE_MS);
    if (this.#running >= MAX_CONCURRENT || this.#begun.length >= MAX_PER_MINUTE) return false;
    this.#begun.push(now);
    return true;
  }

  async #run(name: ToolName, given: unknown): Promise<Answer> {
    const read = readInput(name, given);
    if ("expected" in read)
      return { problem: `The input does not fit the schema of ${name}: ${read.expected}.` };
    const { desk, drafts } = this.#options;
    if (!desk.venue.venue) return noExchange;
    const areHidden = this.#options.areAmountsHidden();
    // The input was validated by the schema of this very name.
    switch (name) {
      case "bidside_markets":
        return await readMarkets(desk, read.input as Input<typeof name>);
      case "bidside_candles":
        return await readCandles(desk, read.input as Input<typeof name>);
      case "bidside_book":
        return await readOrderBook(desk, read.input as Input<typeof name>);
      case "bidside_alerts":
        return await this.#alerts(read.input as Input<typeof name>);
      case "bidside_account":
        await refreshPrices(desk);
        return readAccount(desk, areHidden, this.#options.valuesIn());
      case "bidside_orders":
        return readOrders(desk, read.input as Input<typeof name>, areHidden);
      case "bidside_prepareOrder":
        return await prepareOrder(desk, drafts, read.input as Input<typeof name>, areHidden);
    }
  }

  async #alerts({ add }: Input<"bidside_alerts">): Promise<Answer> {
    const { desk } = this.#options;
    if (!add) return await listAlerts(desk);
    const suggestion = await suggestAlert(desk, add);
    if (!("ticker" in suggestion)) return suggestion;
    const ms = desk.timers.now() - this.#askedAt;
    if (this.#isAsking || (ms >= 0 && ms < APART_MS))
      return { problem: "The user was asked about an alert less than 10 seconds ago, or still is." };
    void this.#askToAdd(suggestion);
    return {
      data: {
        asked: true,
        pair: pairName(suggestion.ticker.pair),
        note: "The user is asked whether to add this alert. Call bidside_alerts without add to list alerts.",
      },
    };
  }

  async #askToAdd(suggestion: AlertSuggestion): Promise<void> {
    const { desk, confirmAlert } = this.#options;
    const exchange = desk.venue.venue;
    this.#isAsking = true;
    try {
      if (!(await confirmAlert(suggestion)) || desk.venue.venue !== exchange) return;
      const alerts = await desk.alerts();
      alerts.add(suggestion.ticker.symbol, suggestion.rule, suggestion.repeats);
    } catch (error) {
      desk.log.warn(`Alert of an assistant: ${errorLine(error)}`);
    } finally {
      this.#isAsking = false;
      this.#askedAt = desk.timers.now();
    }
  }
}
