import type { Alert } from "../../../src/market/alertRule.ts";

/** An alert on the practice exchange that waits for THB_BTC to rise to 110, once. */
export function testAlert(given: Partial<Alert> = {}): Alert {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    venue: "practice",
    origin: "http://127.0.0.1:1",
    symbol: "THB_BTC",
    rule: { kind: "above", price: "110" },
    repeats: false,
    isOn: true,
    phase: "armed",
    armedAt: 0,
    ...given,
  };
}
