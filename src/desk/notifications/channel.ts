import type { ChannelProblem } from "../../storage/channelProblems.ts";
import type { SendLimit } from "../../storage/notificationClaims.ts";
import type { Firing } from "./firing.ts";

/** `retry`: another attempt may succeed. `refused`: it would not. */
export type SendOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "retry" | "refused"; readonly problem: ChannelProblem };

/** A way to notify the user. */
export interface Channel {
  /** Unique, and valid in a file name. A firing is delivered once per channel. */
  readonly id: string;
  /** Whether the user wants this firing here. If not, it is never delivered here, even if the channel is turned on later. */
  readonly isOn: (firing: Firing) => boolean;
  /** Missing: delivers within CLAIM_MS, as often as there are firings. */
  readonly limit?: SendLimit;
  /** `attempt`: 1 for the first. */
  readonly send: (firing: Firing, attempt: number) => Promise<SendOutcome>;
}

/** The limit of channels that leave the editor: one message in 5 s and 100 a day. Each attempt ends within 10 s. */
export const outsideLimit = { everyMs: 5000, perDay: 100, attemptMs: 15_000 } as const;
