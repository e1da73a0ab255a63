import type { ExchangeError } from "../exchange/errors.ts";
import { meaningOf, rootOf } from "../exchange/meaning.ts";
import type { ServiceProfile } from "../exchange/profile.ts";
import type { Desk } from "./desk.ts";
import type { Watching } from "./venue.ts";

/**
 * Reports that a live exchange no longer serves the path of a poll: once for the same profile, and only in the window
 * that polls for all. The returned function stops watching.
 */
export function onMissingPath(
  { venue, windows, tickers, balances, following }: Desk,
  report: (venue: Watching, error: ExchangeError) => void,
): () => void {
  let reported: ServiceProfile | undefined;
  const check = (subject: "market" | "balance", problem: unknown): void => {
    const current = venue.venue;
    if (current?.account.kind !== "live" || current.profile === reported) return;
    if (!windows.reads(subject) || meaningOf(problem) !== "wrongPath") return;
    reported = current.profile;
    // Only errors in the exchange's responses have this meaning.
    report(current, rootOf(problem) as ExchangeError);
  };
  const removers = [
    tickers.onDidChangePaced(({ state }) => check("market", state.problem)),
    balances.onDidChange(({ problem }) => check("balance", problem)),
    following.tracker.onDidLosePath((problem) => check("balance", problem)),
  ];
  return () => removers.forEach((remove) => remove());
}
