import assert from "node:assert/strict";
import type { Desk } from "../../../../src/desk/desk.ts";
import {
  FakeClient,
  MovingExchange,
  openingOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const { resetPractice } = await loadUi(() => import("../../../../src/ui/venue/resetPractice.ts"));

type Step = "recorded" | "reset" | "refreshed";

/** Runs the command for a user with this answer; returns the actions in their order, and the messages. */
async function run(
  answer: (offered: readonly string[]) => string | undefined,
  given: {
    readonly live?: boolean;
    readonly fails?: Step;
    readonly whileAsked?: () => Promise<void>;
    readonly moves?: boolean;
  } = {},
) {
  const exchange = new MovingExchange(new FakeClient(), {});
  const venue = currentVenue({
    open: byKind({
      practice: exchange.open,
      live: () => Promise.resolve(openingOf("https://api.example.com")),
    }),
    createClient: exchange.createClient,
  });
  await venue.select(practiceAccount);
  const before = venue.venue;
  if (given.live) await venue.select(liveAccount);
  const steps: Step[] = [];
  const step = (name: Step) => async (): Promise<void> => {
    if (given.fails === name) throw new Error("no");
    steps.push(name);
  };
  const logged: string[] = [];
  const log = { info: () => undefined, error: (line: string) => void logged.push(line) };
  shownMessages.length = 0;
  person.choose = (offered) => {
    const chosen = answer(offered);
    if (given.moves) exchange.move();
    // The venue changes in another way while the question is open.
    if (given.whileAsked) void venue.select(liveAccount);
    return chosen;
  };
  const desk = {
    venue,
    orders: { recordAccountReset: step("recorded") },
    balances: { refreshEverywhere: () => void steps.push("refreshed") },
    log,
  } as unknown as Desk;
  const reset = async (): Promise<void> => {
    if (given.moves && venue.venue === before) throw new Error("nobody listens");
    await step("reset")();
  };
  await resetPractice(desk, { reset });
  person.choose = () => undefined;
  return { steps, logged, messages: [...shownMessages] };
}

const yes = (offered: readonly string[]): string | undefined => offered.at(-1);

describe("resetting the practice account", () => {
  it("confirms first in a modal that says what is lost and what stays", async () => {
    const { steps, messages } = await run(() => undefined);
    assert.deepEqual(steps, []);
    const [dialog] = messages;
    assert.deepEqual([dialog?.how, dialog?.text], ["warning", "Reset the practice account?"]);
    assert.match(dialog?.more ?? "", /"modal":true/);
    for (const words of [
      /balances and all open practice orders will be lost/,
      /live account is not affected/,
    ])
      assert.match(dialog?.more ?? "", words);
  });

  it("records the end of the old account before the new account begins, then reads the balance", async () => {
    const { steps, logged } = await run(yes);
    assert.deepEqual([steps, logged], [["recorded", "reset", "refreshed"], []]);
  });

  it("resets nothing if the journal cannot record the reset", async () => {
    const { steps, messages, logged } = await run(yes, { fails: "recorded" });
    assert.deepEqual(steps, []);
    assert.match(messages.at(-2)?.text ?? messages.at(-1)?.text ?? "", /could not be reset/);
    assert.deepEqual(logged, ["Reset Practice Account: no"]);
  });

  it("shows an error if the exchange is unreachable", async () => {
    const { steps, messages } = await run(yes, { fails: "reset" });
    assert.deepEqual(steps, ["recorded"]);
    assert.ok(messages.some(({ how, text }) => how === "error" && /could not be reset/.test(text)));
  });

  it("reopens the exchange first if the window that served it was closed", async () => {
    const { steps, logged } = await run(yes, { moves: true });
    assert.deepEqual([steps, logged], [["recorded", "reset", "refreshed"], []]);
  });

  it("never touches a live account, even if the user switches to it during the confirmation", async () => {
    const live = await run(yes, { live: true });
    assert.deepEqual(live.steps, []);
    assert.ok(live.messages.every(({ how }) => how !== "warning"));
    const switched = await run(yes, { whileAsked: () => Promise.resolve() });
    assert.deepEqual(switched.steps, []);
  });
});
