import { faults } from "./plan.ts";

/** The situations that a full run must reach: each at least once, and each fault at least 100 times. */
const situations = [
  "aLeaderDiedBetweenRequestAndRecord",
  "twoWindowsBelievedToLead",
  "aWindowDiedWhileAnnouncing",
  "anAnswerCameAfterItsOrderWasSettled",
  "theClockWentBackDuringARequest",
  "accountReset",
  "askSent",
  "absenceProvedThatAnOrderWasNotPlaced",
  "severalFillsWereShown",
  "aPartWasFilledAndTheRestCancelled",
  "anOrderWasPrepared",
  "anOrderGotANewId",
  "anOpenOrderWasNotListed",
  "anOrderWasListedAgain",
  "anOpenOrderWasShownAsEnded",
  "aWrongEndWasTakenBack",
  "outcome answeredTooSoon",
  "cancellation accepted",
  "cancellation notOpen",
  "cancellation rejected",
  "cancellation unanswered",
  "aStreamedPriceWasShown",
  "aStreamContradictedTwoReadings",
  "aStreamingLeaderWasKilled",
  "aStreamCameBack",
  "aFillWasStreamed",
  "aStreamedBookWasShown",
  "aBookWasRead",
  "anOrderOfAnotherAccountWasShown",
  "twoKeysWereSwapped",
  "aWindowOpenedWithALockedKeyring",
  "anOrderWasSentWhileAnotherExchangeWasDown",
  "theAccountWasSwitchedWithADraftTyped",
  "theAccountWasSwitchedWithAQuestionOpen",
  "theAccountWasSwitchedWithAnOrderSent",
  "theAccountWasSwitchedWithACancelQuestionOpen",
  "theAccountWasSwitchedWithACancellationSent",
  "anOrderFarFromTheMarketWasQuestioned",
  "aRequestWasSignedAfterASleep",
  "pricesWereStaleAfterASleep",
  "anOrderChangedDuringAReport",
  "aCancellationFailed",
  "aStreamWasClosedAsWrong",
  "aWrongStreamWasOpenedAgain",
] as const;

const LEAST = 100;

/** The situations that a full run did not reach, or not often enough. */
export function missing(reached: Readonly<Record<string, number>>): string[] {
  return [
    ...situations.filter((name) => reached[name] === undefined),
    ...faults.filter((name) => (reached[name] ?? 0) < LEAST),
  ];
}
