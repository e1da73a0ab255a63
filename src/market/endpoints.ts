/** Capabilities beyond the endpoints of the specification, by setting name. */
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

/** All endpoints: those of the specification, price history, private stream, and the capabilities. */
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
