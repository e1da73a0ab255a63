import type { Desk } from "../desk/desk.ts";
import { Disposable } from "../desk/disposable.ts";
import { errorLine } from "../desk/errorLine.ts";
import { pairName } from "../market/pair.ts";
import { type AccessLevel, allows, isToolName, type ToolName, toolsWithin } from "./access.ts";
import { readAccount, readOrders } from "./accountTools.ts";
import { type AlertSuggestion, listAlerts, suggestAlert } from "./alertTool.ts";
import { type Answer, answerText } from "./answer.ts";
import { type Input, inputs } from "./inputs.ts";
import { readBook, readCandles, readMarkets } from "./marketTools.ts";
import { prepareOrder } from "./orderTool.ts";
import type { PreparedDrafts } from "./preparedDrafts.ts";
import { APART_MS } from "./preparedPlace.ts";

export interface AssistantOptions {
  readonly desk: Desk;
  /** Read at every call, so that a changed setting counts at once. */
  readonly level: () => AccessLevel;
  /** Whether the person hides amounts now. */
  readonly areAmountsHidden: () => boolean;
  readonly drafts: PreparedDrafts;
  /** Asks the person whether to add the alert. */
  readonly confirmAlert: (suggestion: AlertSuggestion) => Promise<boolean>;
}

/** The result of a call as text for a model: one line of JSON. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls that may run at one time, and that may begin within a minute. A model in a loop must not use up rate limits. */
const MOST_AT_ONCE = 4;
const MOST_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * The tools of assistants over the desk of one window. A call is data in and data out: whatever it contains, it reads
 * no more than the person's level allows, and can do two things: open the order ticket, and ask about an alert.
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

  /** The tools that may be called now. */
  get tools(): readonly ToolName[] {
    return toolsWithin(this.#options.level());
  }

  /** Never rejects. `input` may be anything. */
  async call(name: string, input: unknown): Promise<CallResult> {
    const answer = await this.#answer(name, input);
    return { text: answerText(answer), isError: "problem" in answer };
  }

  async #answer(name: string, input: unknown): Promise<Answer> {
    const { level, desk } = this.#options;
    if (!isToolName(name) || !allows(level(), name))
      return { problem: "The person's setting bidside.assistant.access does not allow this tool." };
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
    if (this.#running >= MOST_AT_ONCE || this.#begun.length >= MOST_A_MINUTE) return false;
    this.#begun.push(now);
    return true;
  }

  async #run(name: ToolName, given: unknown): Promise<Answer> {
    const read = inputs[name].safeParse(given);
    if (!read.success) {
      const places = new Set(
        read.error.issues.map(({ path }) =>
          path.filter((part) => /^[A-Za-z]+$/.test(String(part))).join("."),
        ),
      );
      return {
        problem: `The input does not fit the schema of ${name}: ${[...places].slice(0, 5).join(", ") || "input"}.`,
      };
    }
    const { desk, drafts } = this.#options;
    const areHidden = this.#options.areAmountsHidden();
    // Each schema belongs to its own name.
    switch (name) {
      case "bidside_markets":
        return await readMarkets(desk, read.data as Input<typeof name>);
      case "bidside_candles":
        return await readCandles(desk, read.data as Input<typeof name>);
      case "bidside_book":
        return await readBook(desk, read.data as Input<typeof name>);
      case "bidside_alerts":
        return await this.#alerts(read.data as Input<typeof name>);
      case "bidside_account":
        return readAccount(desk, areHidden);
      case "bidside_orders":
        return readOrders(desk, read.data as Input<typeof name>, areHidden);
      case "bidside_prepareOrder":
        return await prepareOrder(desk, drafts, read.data as Input<typeof name>, areHidden);
    }
  }

  async #alerts({ add }: Input<"bidside_alerts">): Promise<Answer> {
    const { desk } = this.#options;
    if (!add) return await listAlerts(desk);
    const suggestion = await suggestAlert(desk, add);
    if (!("ticker" in suggestion)) return suggestion;
    const ms = desk.timers.now() - this.#askedAt;
    if (this.#isAsking || (ms >= 0 && ms < APART_MS))
      return { problem: "The person was asked about an alert less than 10 seconds ago, or still is." };
    void this.#askToAdd(suggestion);
    return {
      data: {
        asked: true,
        pair: pairName(suggestion.ticker.pair),
        note: "The person is asked whether to add this alert. Call bidside_alerts without add to list alerts.",
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
