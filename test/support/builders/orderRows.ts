/** Rows of order responses, as written by services of this family. */

/** Generation B: text and lower case, ms. */
export const openBuyB = {
  id: "278465822",
  side: "buy",
  type: "limit",
  rate: "10",
  fee: "0.25",
  credit: "0",
  amount: "100",
  receive: "9.975",
  parent_id: "0",
  super_id: "0",
  client_id: "BS-1",
  ts: 1_707_220_636_000,
};

/** Generation A: numbers and upper case, seconds. */
export const openSellA = {
  id: 54,
  hash: "fwQ6dnQWQPs4cbatF5Am2xCDP1J",
  side: "SELL",
  type: "limit",
  rate: 1_533_438.83,
  fee: 3.83,
  credit: 0,
  amount: 0.001,
  receive: 1529.6,
  parent_id: 0,
  super_id: 0,
  ts: 1_533_834_844,
};

/** A buy of 4000 THB whose match is reported in quote. */
export const orderInfo = {
  id: "289",
  first: "289",
  parent: "0",
  last: "316",
  client_id: "",
  post_only: false,
  amount: "4000",
  rate: 291_000,
  fee: 10,
  credit: 0,
  filled: 3999.97,
  total: 4000,
  status: "filled",
  partial_filled: false,
  remaining: 0,
  history: [
    {
      amount: 98.14848,
      credit: 0,
      fee: 0.25,
      id: "289",
      rate: 291_000,
      timestamp: 1_702_466_375_000,
      txn_id: "BTC-1",
    },
  ],
};

/** A match of a buy whose amount is in base: 0.0004 BTC at 2,500,000 is 1000 THB, with a fee of 2.5 THB. */
export const matchInBase = {
  txn_id: "BTC-7",
  order_id: "68a82a0e",
  client_id: "BS-1",
  taken_by_me: false,
  is_maker: true,
  side: "buy",
  type: "limit",
  rate: "2500000.00",
  fee: "2.50",
  credit: "0.00",
  amount: "0.0004",
  ts: 1_755_850_086_843,
  order_closed_at: 1_755_850_086_900,
};

/** The same match with its amount in quote. */
export const matchInQuote = { ...matchInBase, amount: "1002.50" };
