/** What an exchange may offer beyond the endpoints of the specification, by the name of its setting. */
export const capabilityNames = [
  "placeAsk",
  "cancelOrder",
  "openOrders",
  "orderInfo",
  "orderHistory",
  "balances",
  "symbols",
  "depth",
  "trades",
  "status",
  "feeCredits",
] as const;
export type CapabilityName = (typeof capabilityNames)[number];

/** All endpoints of an exchange: those of the specification, price history, private stream, and the capabilities. */
export const endpointNames = [
  "serverTime",
  "tickers",
  "wallet",
  "placeBid",
  "history",
  "privateStream",
  ...capabilityNames,
] as const;
export type Endpoint = (typeof endpointNames)[number];
