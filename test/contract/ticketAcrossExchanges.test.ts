import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Desk } from "../../src/desk/desk.ts";
import type { Account } from "../../src/market/account.ts";
import { defaultRules } from "../../src/market/order.ts";
import type { ToTicket } from "../../src/protocol/ticket.ts";
import { TicketDraft } from "../../src/webview/ticket/draft.ts";
import { root } from "../../tools/paths.ts";
import { endpointsAt, testCredentials, testProfile } from "../support/builders/client.ts";
import { editorConfirmations } from "../support/desks/editorConfirmations.ts";
import { close, openTestDesk, readAll } from "../support/desks/testDesk.ts";
import { ticketWindow } from "../support/fakes/ticketWindow.ts";
import { openingOf, byKind, accountOfKind } from "../support/fakes/venue.ts";
import { loadUi, panels, person } from "../support/fakes/vscode.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { waitFor } from "../support/waitFor.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const { TicketPanel } = await loadUi(() => import("../../src/ui/ticket/ticketPanel.ts"));

/** The forms of an exchange whose symbols name the base first: BTC_THB. */
const baseFirst = Object.fromEntries(
  Object.entries(endpointsAt()).map(([name, form]) => [name, { ...form, symbolOrder: "baseFirst" }]),
) as unknown as ReturnType<typeof endpointsAt>;

/** An exchange with two pairs, in this form of symbols. */
const exchangeWith = (btc: string, last: number, eth: string): Promise<TestExchange> =>
  serveExchange({
    tickers: (_request, response) =>
      void response.end(JSON.stringify({ error: 0, result: { [btc]: { last }, [eth]: { last: 7 } } })),
  });

describe("an open ticket between an exchange with base-first symbols and practice", () => {
  let storage: string;
  let live: TestExchange;
  let practice: TestExchange;
  let desk: Desk;

  beforeEach(async () => {
    storage = temporaryFolder();
    [live, practice] = await Promise.all([
      exchangeWith("BTC_THB", 100, "ETH_THB"),
      exchangeWith("THB_BTC", 200, "THB_ETH"),
    ]);
    const credentials = () => Promise.resolve(testCredentials);
    desk = await openTestDesk({
      storage,
      venue: "live",
      openVenue: byKind({
        live: async () =>
          openingOf(live.url, {
            credentials,
            profile: testProfile(live.url, {
              walletMethod: "GET",
              symbolOrder: "baseFirst",
              endpoints: baseFirst,
            }),
          }),
        practice: async () =>
          openingOf(practice.url, { credentials, name: "Practice", addressMayChange: true }),
      }),
      ask: await editorConfirmations(),
    });
    person.choose = (offered) => offered.at(-1);
  });
  afterEach(async () => {
    person.choose = () => undefined;
    await close(desk);
    await Promise.all([live.close(), practice.close()]);
  });

  it("keeps its pair, has each exchange's own prices, and sends the exchange's own symbol", async () => {
    const ticket = new TicketPanel(desk, { fsPath: root } as never, ticketWindow(desk));
    ticket.open({});
    const panel = panels.pop() ?? assert.fail("The ticket did not open.");
    // What the ticket's page keeps.
    const draft = new TicketDraft(
      { newId: randomUUID, rules: () => defaultRules, quoteOf: () => "THB" },
      undefined,
    );
    const posted: ToTicket[] = [];
    panel.onDidPost((data) => {
      const message = data as ToTicket;
      posted.push(message);
      if (message.type === "market" && message.exchange.key !== "") {
        if (draft.moveTo(message.exchange.key)) panel.receive({ type: "select", symbol: draft.state.symbol });
      }
      if (message.type === "quote" && message.quote.symbol === draft.state.symbol)
        draft.takeLast(message.quote.last);
    });
    await panel.page;
    panel.receive({ type: "ready", symbol: "" });
    draft.choosePair("THB_BTC");

    const bidAt = async (id: Account["kind"], last: string, leftAmount = ""): Promise<void> => {
      if (desk.venue.account.kind !== id) await desk.venue.select(accountOfKind[id]);
      await readAll(desk);
      panel.receive({ type: "select", symbol: draft.state.symbol });
      const { key } = await waitFor(`the pairs of ${id}`, () => {
        const market = posted.findLast((message) => message.type === "market");
        return market?.exchange.live === (id === "live") && market.pairs.length === 2 && market.exchange;
      });
      const quote = posted.findLast((message) => message.type === "quote")?.quote;
      assert.deepEqual([quote?.symbol, quote?.base, quote?.last], ["THB_BTC", "BTC", last]);
      const { account, symbol, rate, amount } = draft.state;
      assert.deepEqual([account, symbol, rate, amount], [key, "THB_BTC", last, leftAmount]);
      draft.setAmount("1000");
      posted.length = 0;
      panel.receive({ type: "submit", draft: draft.submit() });
      const { notice, ended, done } = (await waitFor("the outcome", () =>
        posted.findLast((message) => message.type === "outcome" && !message.busy && message),
      )) as Extract<ToTicket, { type: "outcome" }>;
      assert.match(notice?.text ?? "", /accepted your order/);
      draft.end(ended ?? assert.fail(), done);
      // Figures that were typed for one exchange are not another one's.
      draft.setAmount("555");
    };
    await bidAt("live", "100");
    await bidAt("practice", "200");
    await bidAt("live", "100", "555");
    const symbols = ({ seenOf }: TestExchange): string[] =>
      seenOf("placeBid").map(({ body }) => (JSON.parse(body.toString()) as { sym: string }).sym);
    assert.deepEqual([symbols(live), symbols(practice)], [["BTC_THB", "BTC_THB"], ["THB_BTC"]]);
    ticket.dispose();
  });
});
