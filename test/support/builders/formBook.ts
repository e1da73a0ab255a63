import type { FormBook, FormLevel, FormTrade } from "../../../src/protocol/ticketBook.ts";

type Written = readonly (readonly [price: string, size: string, isOwn?: true])[];

function levels(written: Written): FormLevel[] {
  return written.map(([price, size, isOwn = false]) => ({ price, size, isOwn }));
}

/** The book of a pair as the host sends it, with these sides. */
export function formBook(asks: Written, bids: Written, given: Partial<FormBook> = {}): FormBook {
  return {
    symbol: "THB_BTC",
    asks: levels(asks),
    bids: levels(bids),
    spread: undefined,
    trades: undefined,
    note: "",
    isOld: false,
    hourCycle: "h23",
    ...given,
  };
}

export function formTrade(given: Partial<FormTrade> = {}): FormTrade {
  return { at: Date.UTC(2026, 10, 23, 9, 7, 5), rate: "100.5", size: "0.25", side: "buy", ...given };
}
