/** What other programs and services get of a firing. Nothing of the account is in it. */
export interface ChannelMessage {
  /** The same for each attempt, so that a receiver can drop repetitions. */
  readonly id: string;
  /** `BTC/THB` */
  readonly pair: string;
  /** The rule in words; what was filled, in words, for fills. */
  readonly rule: string;
  /** The last price when the rule was met, as plain decimal text; "" for fills. */
  readonly price: string;
  /** When it happened, in ISO 8601 and UTC. */
  readonly time: string;
  /** One sentence with all of it. */
  readonly text: string;
}
