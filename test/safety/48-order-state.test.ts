import assert from "node:assert/strict";
import fc from "fast-check";
import { plainText } from "../../src/market/numbers/decimal.ts";
import { type IdObservation, inSequence, type Observation } from "../../src/market/orders/observation.ts";
import { identifyOrders } from "../../src/market/orders/orderIdentity.ts";
import { essential, isEnd, type OrderState, orderState } from "../../src/market/orders/orderState.ts";
import {
  filledOf,
  histories,
  ModelExchange,
  statusAt,
  type TrueOrder,
} from "../support/builders/modelExchange.ts";
import { safetyLine } from "./safetyLine.ts";

const ROUNDS = 100_000;
const SETTLING_MS = 2_000;

interface Seen {
  readonly own: string | undefined;
  readonly observed: readonly IdObservation[];
  readonly all: readonly Observation[];
  readonly state: OrderState;
}

/** The state of every order that these observations are about. */
function statesIn(model: ModelExchange, observed: readonly IdObservation[]): readonly Seen[] {
  return identifyOrders(model.own, observed).flatMap((order) => {
    const all = [...(model.ownObservations.get(order.own ?? "") ?? []), ...order.observed];
    const isStated = order.observed.some(({ source }) => source !== "absent" && source !== "cancel");
    return order.own === undefined && !isStated
      ? []
      : [{ own: order.own, observed: order.observed, all, state: orderState(all) }];
  });
}

function assertNeverEndedWhileListed(model: ModelExchange, states: readonly Seen[]): number {
  let proven = 0;
  for (const { observed, all, state } of states) {
    const truth = observed.map((each) => model.about.get(each)).find((each) => each);
    if (!truth || statusAt(truth, model.now) !== "open") continue;
    const doubted = Math.max(
      ...all.map((each) =>
        each.source === "absent" ||
        (each.source === "receipt" && each.says === "rejected") ||
        ("status" in each && each.status !== undefined && each.status !== "open")
          ? each.at
          : Number.NEGATIVE_INFINITY,
      ),
    );
    const listed = observed.filter(({ source, at }) => source === "list" && at > doubted).map(({ at }) => at);
    if (listed.length < 2 || Math.max(...listed) - Math.min(...listed) <= SETTLING_MS) continue;
    proven += 1;
    assert.ok(
      !isEnd(state.status) && state.status !== "notListed",
      `${state.status}, but listed twice since`,
    );
  }
  return proven;
}

function assertNeverFilledBeyondTruth(model: ModelExchange, states: readonly Seen[]): void {
  for (const { observed, state } of states) {
    const truths = new Set(observed.flatMap((each) => model.about.get(each) ?? []));
    assert.ok(truths.size <= 1, "two orders are one row");
    for (const truth of truths)
      assert.ok(state.filled.lte(amountOf(truth, filledOf(truth, model.now), observed)));
  }
}

function amountOf({ rate }: TrueOrder, size: number, observed: readonly IdObservation[]): string {
  const isBuy = observed.some((each) => "side" in each && each.side === "buy");
  return String(isBuy ? size * rate : size);
}

/** What a state says, comparable with the truth. */
function assertTrue(model: ModelExchange, states: readonly Seen[]): void {
  for (const truth of model.orders) {
    const rows = states.filter(({ observed }) => observed.some((each) => model.about.get(each) === truth));
    // Of an order whose id another one has now, the exchange no longer tells.
    if (rows.length === 0 || truth.ids.some(({ id }) => model.isReused(truth, id))) continue;
    assert.equal(rows.length, 1, "an order has several rows");
    const [{ observed, state } = assert.fail()] = rows;
    assert.equal(state.status, statusAt(truth, model.now));
    assert.equal(plainText(state.filled), amountOf(truth, filledOf(truth, model.now), observed));
    if (state.status === "open") assert.equal(state.currentId, truth.ids.at(-1)?.id);
    if (truth.own !== undefined && truth.clientId !== undefined) assert.equal(rows[0]?.own, truth.own);
  }
}

function assertSame(states: readonly Seen[], others: readonly Seen[]): void {
  const plain = (all: readonly Seen[]): unknown =>
    new Map(all.map(({ own, state }) => [`${own ?? ""} ${state.ids.join(" ")}`, JSON.stringify(state)]));
  assert.deepEqual(plain(others), plain(states));
}

describe("the state of an order", () => {
  safetyLine(
    48,
    "Never ended while open and listed twice since, never filled beyond the truth, the same for every order of arrival",
    async (proof) => {
      const counts = { orders: 0, listedTwice: 0, left: 0, observed: 0 };
      const rounds = await proof.property(
        ROUNDS,
        fc.property(histories(), fc.nat(), (history, salt) => {
          const model = new ModelExchange(history);
          const states = statesIn(model, model.observed);
          counts.orders += states.length;
          counts.listedTwice += assertNeverEndedWhileListed(model, states);
          assertNeverFilledBeyondTruth(model, states);
          const mixed = model.observed.toSorted((one, other) => hash(one.at, salt) - hash(other.at, salt));
          assertSame(states, statesIn(model, [...mixed, ...model.observed.slice(salt % 7)]));
          const kept = states.flatMap(({ all }) => essential(all)).filter(isById);
          counts.observed += model.observed.length;
          counts.left += kept.length;
          assertSame(states, statesIn(model, kept));
        }),
      );
      return (
        `${rounds} histories, ${counts.orders} orders, ${counts.listedTwice} of them open and listed twice since their last ` +
        `doubt; ${counts.left} of ${counts.observed} observations are essential`
      );
    },
  );

  safetyLine(48, "Equals the exchange if its answers are true and complete", async (proof) => {
    const rounds = await proof.property(
      ROUNDS,
      fc.property(histories(true), (history) => {
        const model = new ModelExchange(history);
        model.tellTheTruth();
        const states = statesIn(model, model.observed);
        assertTrue(model, states);
        assert.deepEqual(
          states.flatMap(({ state }) => state.doubts),
          [],
        );
      }),
    );
    return `${rounds} histories`;
  });

  safetyLine(
    48,
    "Equals the exchange once wrong, late or incomplete answers are followed by true ones",
    async (proof) => {
      const rounds = await proof.property(
        ROUNDS,
        fc.property(histories(), (history) => {
          const model = new ModelExchange(history);
          model.tellTheTruth();
          assertTrue(model, statesIn(model, model.observed));
        }),
      );
      return `${rounds} histories`;
    },
  );

  safetyLine(48, "Leaving out what is not essential changes no later state", async (proof) => {
    const rounds = await proof.property(
      ROUNDS,
      fc.property(histories(), fc.nat(), (history, cut) => {
        const model = new ModelExchange(history);
        for (const { all } of statesIn(model, model.observed)) {
          const sequence = inSequence(all);
          const place = cut % (sequence.length + 1);
          const [before, after] = [sequence.slice(0, place), sequence.slice(place)];
          if (!before.some((each) => "pair" in each || each.source === "intent")) continue;
          assert.deepEqual(
            JSON.stringify(orderState([...essential(before), ...after])),
            JSON.stringify(orderState(sequence)),
          );
        }
      }),
    );
    return `${rounds} histories`;
  });
});

function isById(each: Observation): each is IdObservation {
  return "orderId" in each && each.source !== "receipt";
}

function hash(at: number, salt: number): number {
  return Math.imul(at ^ salt, 2_654_435_761) >>> 0;
}
