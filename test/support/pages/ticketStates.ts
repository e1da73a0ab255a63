import type { FormQuote, NoticeAction, ToTicket } from "../../../src/protocol/ticket.ts";
import { formBook, formTrade } from "../builders/formBook.ts";
import { PRACTICE } from "../builders/formDraft.ts";
import type { PageState } from "./states.ts";
import { LIVE, marketOf, outcomeOf, pairOf, quoteOf, TicketPage } from "./ticket.ts";

const OFFERS_ALL = { offersAsks: true, offersPostOnly: true, offersBook: true };
const PRACTICE_WITH_ALL = { ...PRACTICE, ...OFFERS_ALL };
const LIVE_WITH_ALL = { ...LIVE, ...OFFERS_ALL };

const PAIRS = [
  pairOf("THB_ADA", { last: "12.345", change: "▼ -12.30%" }),
  pairOf("THB_BTC", { last: "3,101,800.53", change: "▲ +1.50%" }),
  pairOf("THB_PEPE", { last: "0.00048275", change: "0.00%" }),
  pairOf("THB_WBTC", { last: "3,099,999.99", change: "", frozen: true }),
];

/** Figures of the usual length at the exchanges that Bidside knows. */
const QUOTE: Partial<FormQuote> = {
  last: "3101800.53",
  bestBid: "3101799.53",
  bestAsk: "3101801.53",
  available: "1234567.89",
  availableBase: "12.12345678",
  limits: {
    feeShare: "0.0025",
    quantityPlaces: 8,
    rateStep: "0.01",
    text: "Limits of Practice: minimum 10.00 THB, prices in steps of 0.01 THB.",
    tooltip: "A buy order may be at most 10% above or below the last price.",
  },
};

const BOOK = formBook(
  [
    ["3101801.53", "0.12345678"],
    ["3101812.00", "0.5", true],
    ["3102900.25", "12.12345678"],
  ],
  [
    ["3101799.53", "1.5", true],
    ["3101700.00", "0.00123456"],
  ],
  {
    spread: { quote: "2", percent: "0.01" },
    hourCycle: "h12",
    trades: [
      formTrade({ rate: "3101800.53", size: "0.12345678" }),
      formTrade({ rate: "3101799.53", size: "12.12345678", side: "sell" }),
    ],
  },
);

type Venue = Extract<ToTicket, { type: "market" }>["exchange"];

/** A ticket at BTC/THB, with figures typed. */
async function filledIn(venue: Venue = PRACTICE_WITH_ALL, quote = QUOTE): Promise<TicketPage> {
  const ticket = await TicketPage.open();
  await ticket.show(marketOf([], { exchange: venue, pairs: PAIRS }));
  await ticket.choose("thb_btc");
  await ticket.show(quoteOf("THB_BTC", quote), { type: "book", book: BOOK });
  await ticket.get("amount").fill("250000");
  return ticket;
}

/** The ticket filled in, after messages of the host. */
const after = (messages: readonly ToTicket[], venue?: Venue) => async (): Promise<TicketPage> => {
  const ticket = await filledIn(venue);
  await ticket.show(...messages);
  return ticket;
};

/** The host's answer to the draft, with what it takes from the book. */
async function withFill(ticket: TicketPage): Promise<TicketPage> {
  const { draft } = (await ticket.last("edited")) ?? {};
  const bookFill = { share: "all", average: "about 3,101,801.53", slippage: "0.25%" };
  if (draft) await ticket.show({ type: "problems", draft, problems: {}, bookFill });
  return ticket;
}

const outcome = (tone: "good" | "warning" | "bad" | "info", text: string, action?: string): ToTicket =>
  outcomeOf({ notice: { tone, text, actions: action ? [{ id: "showOrders", title: action }] : [] } });

/** An order that Practice accepted, in one line. */
const orderOutcome = (line: string, actions: readonly NoticeAction[]): ToTicket => {
  const text =
    "Practice accepted your order: 250,000.00 THB for BTC at 3,101,800.53 THB. Order ID: 1234567890. It fills when the market reaches your limit price.";
  return outcomeOf({ notice: { tone: "good", text, line, actions } });
};

/** Every state of the order ticket that looks different. */
export const ticketStates: readonly PageState[] = [
  {
    name: "ticket-empty",
    open: async () => {
      const ticket = await TicketPage.open();
      await ticket.show(marketOf([], { exchange: PRACTICE_WITH_ALL, pairs: PAIRS }));
      return ticket;
    },
  },
  {
    name: "ticket-hint",
    open: after([
      outcomeOf({
        notice: {
          tone: "info",
          text: "Click a price, type an amount, press Enter.",
          actions: [{ id: "dismissHint", title: "Got It" }],
          isHint: true,
        },
      }),
    ]),
  },
  {
    name: "ticket-no-exchange",
    open: async () => {
      const ticket = await TicketPage.open();
      const text = "api.example.com needs an API key. Prices are shown without one.";
      const action = { id: "setCredentials", title: "Set API Key" } as const;
      await ticket.show(marketOf([], { exchange: LIVE, note: { tone: "warning", text, actions: [action] } }));
      return ticket;
    },
  },
  {
    name: "ticket-pairs",
    open: async () => {
      const ticket = await TicketPage.open();
      await ticket.show(marketOf([], { exchange: PRACTICE, pairs: PAIRS }));
      await ticket.get("pair").press("ArrowDown");
      await ticket.get("pair").press("ArrowDown");
      return ticket;
    },
  },
  {
    name: "ticket-no-pair-found",
    open: async () => {
      const ticket = await TicketPage.open();
      await ticket.show(marketOf([], { exchange: PRACTICE, pairs: PAIRS }));
      await ticket.get("pair").pressSequentially("xyz");
      return ticket;
    },
  },
  {
    name: "ticket-errors",
    open: after([
      outcomeOf({
        fields: {
          pair: "The exchange no longer lists this pair. Choose another pair, or refresh the markets.",
          rate: "The limit price is more than 10% above the last price. Use 3411980.58 THB or less.",
          amount: "Use digits and at most one decimal point, such as 1000 or 0.25.",
          quantity: "At most 8 decimals.",
        },
      }),
    ]),
  },
  {
    name: "ticket-buy",
    open: async () => {
      const ticket = await withFill(await filledIn());
      await ticket.get("ladder").focus();
      await ticket.get("ladder").press("ArrowUp");
      await ticket.get("use-last").hover();
      return ticket;
    },
  },
  {
    name: "ticket-sell",
    open: async () => {
      const ticket = await filledIn();
      await ticket.get("side-sell").check();
      await ticket.page.getByRole("button", { name: "25%" }).click();
      await ticket.get("post-only").check();
      return await withFill(ticket);
    },
  },
  {
    name: "ticket-hidden-balance",
    open: async () => {
      const ticket = await filledIn(undefined, { ...QUOTE, hidden: true });
      await ticket.page.getByRole("button", { name: "50%" }).click();
      return ticket;
    },
  },
  {
    name: "ticket-prepared",
    open: async () => {
      const ticket = await TicketPage.open();
      await ticket.show(marketOf([], { exchange: PRACTICE_WITH_ALL, pairs: PAIRS }));
      const fill = { side: "buy", symbol: "THB_BTC", amount: "1000", rate: "3101801.53" } as const;
      await ticket.show({ type: "fill", fill: { ...fill, preparedBy: "assistant" } });
      await ticket.show(quoteOf("THB_BTC", QUOTE), { type: "book", book: BOOK });
      return ticket;
    },
  },
  { name: "ticket-waiting", open: after([{ type: "wait", ms: 3_600_000 }]) },
  {
    name: "ticket-sending",
    open: after([outcomeOf({ notice: { tone: "info", text: "Sending to Practice…" }, busy: true })]),
  },
  {
    name: "ticket-open",
    open: after([
      orderOutcome("Open @ 3,101,800.53", [
        { id: "cancelOrder", title: "Cancel", tooltip: "Cancel this order after a confirmation" },
        { id: "changeOrder", title: "Change" },
      ]),
    ]),
  },
  {
    name: "ticket-filled",
    open: after([
      orderOutcome("Filled 0.01646919 @ 3,028,380.93", [
        { id: "viewOrder", title: "View" },
        { id: "orderAgain", title: "Again" },
      ]),
    ]),
  },
  {
    name: "ticket-unknown",
    open: after([
      outcome(
        "warning",
        "No response: your order may have been placed. Checking your balance…",
        "Show Orders",
      ),
    ]),
  },
  {
    name: "ticket-rejected-live",
    open: async () => {
      const ticket = await filledIn(LIVE_WITH_ALL);
      const text =
        "Rejected. Nothing was spent. api.example.com returned error 14: Improper rate (The rate is more than 10% away from the last price).";
      await ticket.show(
        outcomeOf({
          notice: { tone: "bad", text, actions: [{ id: "showLog", title: "Show Log" }] },
          fields: { rate: "Choose a limit price closer to the last price." },
        }),
      );
      return ticket;
    },
  },
  { name: "ticket-live", open: async () => await withFill(await filledIn(LIVE_WITH_ALL)) },
  {
    name: "ticket-stale",
    open: after([
      { type: "age", text: "Prices are 75 sec old." },
      quoteOf("THB_BTC", { ...QUOTE, note: "Waiting for Practice to respond." }),
      { type: "book", book: { ...BOOK, isOld: true, note: "The order book could not be read." } },
    ]),
  },
  {
    name: "ticket-cheap-coin",
    open: async () => {
      const ticket = await TicketPage.open();
      await ticket.show(marketOf([], { exchange: PRACTICE_WITH_ALL, pairs: PAIRS }));
      await ticket.choose("pepe");
      const book = formBook([["0.00048275", "123456.12345678"]], [["0.00048274", "1.5"]]);
      await ticket.show(
        quoteOf("THB_PEPE", { ...QUOTE, last: "0.00048275", bestBid: "0.00048274", bestAsk: "0.00048275" }),
        { type: "book", book: { ...book, symbol: "THB_PEPE", trades: [] } },
      );
      return ticket;
    },
  },
];
