import assert from "node:assert/strict";
import fc from "fast-check";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { ExchangeError } from "../../src/exchange/errors.ts";
import type { OrderHistoryPage } from "../../src/exchange/wire/orders/orderHistory.ts";
import { averageCost, type AssetCost, type Trade } from "../../src/market/holdings/cost.ts";
import { Decimal, plainText } from "../../src/market/numbers/decimal.ts";
import type { Fill, OrderReport } from "../../src/market/orderReport.ts";
import type { KnownOrder } from "../../src/market/orders/knownOrder.ts";
import { endpointsAt, testClient } from "../support/builders/client.ts";
import { allFeatures } from "../support/builders/features.ts";
import { knownFrom } from "../support/builders/reports.ts";
import { Ratio } from "../support/ratio.ts";
import { assertProperty } from "../support/rounds.ts";
import {
  historyAnswer,
  infoAnswer,
  listedPairs,
  ordersOf,
  plans,
  tickersAnswer,
  type Plan,
  type TrueFill,
  type TrueOrder,
} from "../support/servers/generatedService.ts";
import { serveHttp, type Answer, type LoopbackServer } from "../support/servers/loopback.ts";

const NOW = 1_800_000_000_000;
/** Places of a share of an amount, documented in `averageCost`. */
const SHARE_PLACES = 12;
/** The longest pause without a header that says how long, ms. */
const USUAL_PAUSE_MS = 30_000;

/** One generated service and the clock that it and its client share. */
class Scene {
  readonly plan: Plan;
  readonly orders: readonly TrueOrder[];
  now = NOW;
  #signed = 0;
  #pausedUntil = 0;

  constructor(plan: Plan) {
    this.plan = plan;
    this.orders = ordersOf(plan);
  }

  readonly answer: Answer = ({ path, body }, response) => {
    response.sendDate = false;
    response.setHeader("Date", new Date(this.now).toUTCString());
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const given = body.length > 0 ? (JSON.parse(String(body)) as Record<string, unknown>) : {};
    const parameter = (name: string): string => String(given[name] ?? searchParams.get(name) ?? "");
    if (pathname.endsWith("/servertime")) return void response.end(String(this.now));
    if (pathname.endsWith("/ticker")) return void response.end(tickersAnswer(this.plan));
    const { pause } = this.plan;
    assert.ok(this.now >= this.#pausedUntil, "asked during a pause");
    if (pause && this.#signed++ === pause.at) {
      const { status, seconds, isDate } = pause;
      this.#pausedUntil = this.now + seconds * 1000;
      const end = new Date(Math.ceil(this.#pausedUntil / 1000) * 1000);
      response.setHeader("Retry-After", isDate ? end.toUTCString() : String(seconds));
      return void response.writeHead(status).end();
    }
    if (pathname.endsWith("/orderHistory")) {
      const [cursor, page] = [parameter("cursor"), parameter("p")];
      const position = cursor ? Number(cursor.slice(1)) : Math.max(0, Number(page) - 1);
      return void response.end(historyAnswer(this.plan, this.orders, position));
    }
    const order = this.orders.find(({ id }) => id === parameter("id"));
    return void response.end(order ? infoAnswer(this.plan, order) : '{"error":24}');
  };

  /** Repeats a read that a pause refused, when the client says that it ends. */
  async readAfterPause<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const { pause } = this.plan;
      if (!(error instanceof ExchangeError) || !pause) throw error;
      const { retryAt = 0 } = error;
      assert.ok(retryAt >= this.#pausedUntil, `${retryAt} is within the pause until ${this.#pausedUntil}`);
      assert.ok(retryAt <= this.now + Math.max(USUAL_PAUSE_MS, (pause.seconds + 1) * 1000), "waits too long");
      // Refused without a request: the service would notice.
      await assert.rejects(read(), { reason: "rateLimit" });
      this.now = retryAt;
      return await read();
    }
  }
}

/** Everything that the client reports of the orders: their history, and the details of every other one. */
async function readOrders(scene: Scene, client: ExchangeClient): Promise<ReadonlyMap<string, KnownOrder>> {
  const { orders, plan } = scene;
  const named = namedPair(plan);
  const { orderHistory, orderInfo } = client.capabilities;
  assert.ok(orderHistory && orderInfo);
  const own = new Map(orders.map((order) => [order.id, order]));
  const orderedOf = (id: string): Decimal | undefined => {
    const order = own.get(id);
    return order?.isOwn && order.side === "buy" ? new Decimal(order.ordered.text()) : undefined;
  };
  const reports: OrderReport[] = [];
  let position: OrderHistoryPage["next"];
  do {
    const query = { ...named, limit: plan.form.pageSize, position, orderedOf };
    const page: OrderHistoryPage = await scene.readAfterPause(() => orderHistory(query));
    assert.deepEqual(page.unreadable, []);
    reports.push(...page.orders);
    position = page.next;
  } while (position);
  for (const { id, side } of orders.filter((_, index) => index % 2 === 0)) {
    const info = await scene.readAfterPause(() => orderInfo({ ...named, orderId: id, side }));
    reports.push(info ?? assert.fail(`no details of ${id}`));
  }
  const byId = Map.groupBy(reports, ({ orderId }) => orderId);
  return new Map([...byId].map(([id, all]) => [id, knownFrom(all)]));
}

function namedPair({ form: { quote, base } }: Plan) {
  return { symbol: `${quote.name}_${base}`, pair: { quote: quote.name, base } };
}

const ratioOf = (figure: Decimal): Ratio => Ratio.of(plainText(figure));

/** Whether a fill is what happened, or says that it is not certain to the last digit. */
function assertFill(found: Fill, { rate, quantity, value, fee, at }: TrueFill, { form }: Plan): void {
  assert.equal(found.at, at);
  for (const [figure, expected] of Object.entries({ rate, value, fee }))
    assert.equal(plainText(found[figure as "rate"]), expected.text(), figure);
  if (!found.isQuantityAbout) return assert.equal(plainText(found.quantity), quantity.text(), "quantity");
  const unit = Ratio.of("1").over(Ratio.of(String(10 ** form.quote.places)));
  const most = unit.over(rate).plus(Ratio.of("0.00000001"));
  const off = ratioOf(found.quantity).minus(quantity).abs();
  assert.ok(off.compare(most) <= 0, `about ${plainText(found.quantity)} for ${quantity.text()}`);
}

/** Moving average of the fills in the order in which they happened, in fractions. */
function naiveCost(fills: readonly (Fill & Pick<TrueOrder, "side">)[]): Record<string, string> {
  let [held, cost, realised, sold] = [Ratio.zero, Ratio.zero, Ratio.zero, Ratio.zero];
  const share = (amount: Ratio, part: Ratio, of: Ratio): Ratio =>
    part.equals(of) ? amount : amount.times(part).over(of).rounded(SHARE_PLACES, "half");
  for (const { side, ...figures } of fills) {
    const [quantity, value, fee] = [figures.quantity, figures.value, figures.fee].map(ratioOf);
    assert.ok(quantity && value && fee);
    if (side === "buy") {
      held = held.plus(quantity);
      cost = cost.plus(value).plus(fee);
      continue;
    }
    const known = quantity.compare(held) < 0 ? quantity : held;
    sold = sold.plus(quantity.minus(known));
    if (known.equals(Ratio.zero)) continue;
    const costOfSold = share(cost, known, held);
    realised = realised.plus(share(value.minus(fee), known, quantity)).minus(costOfSold);
    cost = cost.minus(costOfSold);
    held = held.minus(known);
  }
  return {
    held: held.text(),
    cost: cost.text(),
    realised: realised.text(),
    soldWithoutCost: sold.text(),
  };
}

function assertCost(found: AssetCost, expected: Record<string, string>): void {
  const { held, cost, realised, soldWithoutCost } = found;
  assert.deepEqual(
    Object.fromEntries(
      Object.entries({ held, cost, realised, soldWithoutCost }).map(([name, figure]) => [
        name,
        plainText(figure),
      ]),
    ),
    expected,
  );
}

/** Each pair is listed with the prices that it has, or counted as unreadable. */
async function assertTickers(client: ExchangeClient, plan: Plan): Promise<void> {
  const { listed, price } = plan;
  const pairs = listedPairs(plan);
  const { tickers, unreadable } = await client.tickers();
  assert.equal(tickers.size + unreadable, pairs.length);
  for (const [index, { last, bid, ask }] of listed.entries()) {
    const ticker = tickers.get(pairs[index] ?? "");
    const hasFields = [last, bid, ask].some((offer) => offer !== "missing" && offer !== "null");
    assert.equal(ticker !== undefined, hasFields, JSON.stringify(listed[index]));
    const shown = (offer: string): number | undefined => (offer === "price" ? Number(price) : undefined);
    if (ticker) assert.deepEqual([ticker.last, ticker.bestBid, ticker.bestAsk], [last, bid, ask].map(shown));
  }
}

describe("two hundred services of the family", () => {
  let server: LoopbackServer;
  let scene: Scene;
  before(async () => {
    server = await serveHttp((...request) => scene.answer(...request));
  });
  after(() => server.close());

  it("give fills, costs and results that equal a naive model's, or are refused with a reason", async () => {
    let [happened, read, exact] = [0, 0, 0];
    const rounds = await assertProperty(
      200,
      fc.asyncProperty(plans, async (plan) => {
        scene = new Scene(plan);
        const { form } = plan;
        const { symbolOrder, amountOfBuys, isUnitStated, generation } = form;
        const features = allFeatures(generation, isUnitStated ? { historyAmountOfBuys: amountOfBuys } : {});
        const { tickers, ...others } = endpointsAt();
        const endpoints = { ...others, tickers: { ...tickers, symbolOrder } };
        const profile = { symbolOrder, features, endpoints };
        const client = testClient(server.url, profile, { now: () => scene.now });
        await assertTickers(client, plan);
        const known = await readOrders(scene, client);

        const found = scene.orders.flatMap(({ id, side, fills }) => {
          const order = known.get(id) ?? assert.fail(`order ${id} is missing`);
          assert.deepEqual(order.doubts, []);
          assert.deepEqual(order.surplus, []);
          const byId = new Map(order.fills.map((fill) => [fill.id, fill]));
          assert.ok(byId.size === fills.length || order.unclearFills, "missing fills are not mentioned");
          return fills.flatMap((fill) => {
            const reported = byId.get(fill.id);
            happened += 1;
            if (!reported) return [];
            read += 1;
            exact += Number(!reported.isQuantityAbout);
            assertFill(reported, fill, plan);
            return { ...reported, side };
          });
        });
        const trades = found.map(({ id, at, side, quantity, value, fee }): Trade => ({
          id,
          txn: id,
          at,
          side,
          quantity,
          value,
          fee,
        }));
        assertCost(averageCost(trades.toReversed()), naiveCost(found));
      }),
    );
    // Fewer services may happen to be ones whose fills cannot be read.
    if (rounds < 200) return;
    assert.ok(read > happened * 0.75, `only ${read} of ${happened} fills were read`);
    assert.ok(exact > read * 0.5, `only ${exact} of ${read} fills are exact`);
  });
});
