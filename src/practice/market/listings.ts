/** A listed asset: price level, volatility and turnover. */
export interface Listing {
  readonly base: string;
  /** THB per unit: the middle of the price's long-term range. */
  readonly price: number;
  /** 1 is an ordinary asset; a stablecoin is far below. */
  readonly volatility: number;
  /** Million THB traded on an average day. */
  readonly turnover: number;
  readonly frozen?: boolean;
}

/** The quote asset of every pair. */
export const QUOTE = "THB";

type Row = readonly [base: string, price: number, volatility: number, turnover: number];

const TRADED: readonly Row[] = [
  ["BTC", 3_000_000, 0.6, 240],
  ["ETH", 110_000, 0.8, 130],
  ["MKR", 52_000, 1, 2],
  ["BCH", 17_500, 0.9, 9],
  ["AAVE", 9_200, 1.1, 6],
  ["SOL", 5_400, 1.1, 64],
  ["LTC", 3_400, 0.9, 8],
  ["COMP", 1_500, 1.1, 1.5],
  ["AVAX", 760, 1.1, 7],
  ["ETC", 620, 1, 3],
  ["LINK", 540, 1, 11],
  ["KSM", 520, 1.1, 0.8],
  ["ICP", 165, 1.1, 2.4],
  ["ATOM", 152, 1, 3.1],
  ["APT", 148, 1.2, 2.7],
  ["DOT", 131, 1, 5.5],
  ["SUI", 108, 1.3, 16],
  ["NEAR", 88, 1.2, 6.3],
  ["FIL", 75.5, 1.1, 3.9],
  ["XRP", 74.8, 1, 110],
  ["AXS", 72, 1.1, 1.3],
  ["TIA", 55, 1.4, 1.9],
  ["LDO", 35, 1.2, 1.6],
  ["WLD", 34, 1.4, 8.4],
  ["USDT", 32.6, 0.12, 120],
  ["USDC", 32.6, 0.12, 24],
  ["OP", 24, 1.2, 3.3],
  ["ADA", 22, 1, 26],
  ["STX", 21, 1.2, 0.9],
  ["IMX", 17.2, 1.2, 1.1],
  ["ARB", 13.4, 1.2, 4.2],
  ["POL", 12.9, 1.1, 2.8],
  ["SEI", 9.9, 1.3, 2],
  ["TRX", 9.8, 0.8, 12],
  ["MANA", 9.6, 1.1, 1.2],
  ["XLM", 9.4, 1.1, 14],
  ["SAND", 9.1, 1.1, 1.4],
  ["ALGO", 7.2, 1.2, 2.2],
  ["HBAR", 6.8, 1.2, 9.7],
  ["DOGE", 6.2, 1.3, 58],
  ["VET", 0.85, 1.1, 1.8],
  ["GALA", 0.52, 1.3, 2.1],
  ["JASMY", 0.48, 1.4, 3.6],
  ["FLOKI", 0.0033, 1.5, 2.6],
  ["BONK", 0.00075, 1.5, 4.8],
  ["SHIB", 0.00042, 1.3, 21],
  ["PEPE", 0.0004, 1.5, 17],
];

/** All listed assets. One is frozen: shown, but not traded. */
export const LISTINGS: readonly Listing[] = [
  ...TRADED.map(([base, price, volatility, turnover]) => ({ base, price, volatility, turnover })),
  { base: "ZIL", price: 0.39, volatility: 1, turnover: 0, frozen: true },
];
