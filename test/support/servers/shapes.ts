/** A ticker entry of a response keyed by symbol. */
export const keyedEntry = {
  id: 1,
  last: 216415,
  lowestAsk: 217678,
  highestBid: 215000,
  percentChange: -1.91,
  baseVolume: 71.02603946,
  quoteVolume: 15302897.99,
  isFrozen: 0,
  high24hr: 220000,
  low24hr: 209500.5,
  change: -4215,
  prevClose: 216415,
  prevOpen: 220630,
};

/** The same entry in a list response. */
export const listedEntry = {
  symbol: "THB_BTC",
  last: "216415",
  lowest_ask: "217678",
  highest_bid: "215000",
  percent_change: "-1.91",
  base_volume: "71.02603946",
  quote_volume: "15302897.99",
  high_24_hr: "220000",
  low_24_hr: "209500.5",
};

const keyed = JSON.stringify({ THB_BTC: keyedEntry });
const listed = JSON.stringify([listedEntry]);

/** Responses to GET ticker by shape; each contains THB_BTC unless it is empty. */
export const tickerShapes: Readonly<Record<string, string>> = {
  "an envelope around entries keyed by symbol": `{"error":0,"result":${keyed}}`,
  "bare entries keyed by symbol": keyed,
  "an envelope around a list": `{"error":0,"result":${listed}}`,
  "a bare list": listed,
  "an empty envelope": '{"error":0,"result":{}}',
  "an envelope around an empty list": '{"error":0,"result":[]}',
  "an empty object": "{}",
  "an empty list": "[]",
};

/** Responses to GET servertime by shape, and the ms they mean. */
export const serverTimeShapes: Readonly<Record<string, readonly [body: string, ms: number]>> = {
  "an envelope, seconds": ['{"error":0,"result":1529999999}', 1_529_999_999_000],
  "an envelope, ms": ['{"error":0,"result":1529999999123}', 1_529_999_999_123],
  "an envelope, digits as text": ['{"error":0,"result":"1529999999"}', 1_529_999_999_000],
  "a bare integer, seconds": ["1529999999", 1_529_999_999_000],
  "a bare integer, ms": ["1529999999123", 1_529_999_999_123],
  "plain-text digits and a line end": ["1529999999\n", 1_529_999_999_000],
  "plain-text digits after a byte order mark": ["\ufeff1529999999", 1_529_999_999_000],
  "quoted digits": ['"1529999999123"', 1_529_999_999_123],
};

/** Wallet responses by shape; each has 188379.27 THB available. */
export const walletShapes: Readonly<Record<string, string>> = {
  "available amounts": '{"error":0,"result":{"THB":188379.27,"BTC":8.90397323}}',
  "amounts as text": '{"error":0,"result":{"THB":"188379.27"}}',
  "available and reserved": '{"error":0,"result":{"THB":{"available":188379.27,"reserved":0}}}',
  "an exponent": '{"error":0,"result":{"THB":1.8837927e+05,"BTC":1.044e-05}}',
  "lower-case names": '{"error":0,"result":{"thb":188379.27}}',
  "no envelope": '{"THB":188379.27}',
  "an unreadable asset beside": '{"error":0,"result":{"BAD":null,"THB":188379.27}}',
  "the newest generation's list":
    '{"code":"0","message":"success","data":[{"currency":"THB","available":"188379.27","reserved":"100","total":"188479.27"}]}',
  "the newest generation's assets":
    '{"code":"0","message":"success","data":{"THB":"188379.27","BTC":"1000"}}',
  "the newest generation's, its code a number": '{"code":0,"message":"success","data":{"THB":188379.27}}',
};

/** Price history responses by shape, with one candle that begins at `from` seconds: 10, 12, 9, 11. */
export function historyShapes(from: number): Readonly<Record<string, string>> {
  const lists = `"t":[${from}],"o":[10],"h":[12],"l":[9],"c":[11]`;
  const texts = `"t":["${from}"],"o":["10"],"h":["12.00"],"l":["9"],"c":["1.1e1"]`;
  return {
    "the open format": `{"s":"ok",${lists},"v":[3.5]}`,
    "the open format without volumes": `{"s":"ok",${lists}}`,
    "an envelope around it": `{"error":0,"result":{"s":"ok",${lists},"v":[3.5]}}`,
    "times in ms": `{"s":"ok",${lists.replace(String(from), `${from}000`)},"v":[3.5]}`,
    "all text": `{"s":"ok",${texts},"v":["3.5"]}`,
    "more fields than it needs": `{"s":"ok",${lists},"v":[3.5],"errmsg":"","nextTime":null,"x":{}}`,
    "a candle of null beside it": `{"s":"ok","t":[${from},${from + 60}],"o":[10,null],"h":[12,null],"l":[9,null],"c":[11,null],"v":[3.5,null]}`,
  };
}

/** Responses that accept a bid, and the order id they contain. */
export const acceptances: Readonly<Record<string, readonly [body: string, orderId: string | undefined]>> = {
  "a whole order": [
    '{"error":0,"result":{"id":"1","typ":"limit","amt":1000,"rat":15000,"fee":2.5,"cre":2.5,"rec":0.06666666,"ts":"1707220636","ci":"x"}}',
    "1",
  ],
  "an integer id past 2^53": ['{"error":0,"result":{"id":9007199254740993}}', "9007199254740993"],
  "an order without an envelope": ['{"id":"5","typ":"limit","amt":1000,"rat":15000}', "5"],
  "no result": ['{"error":0}', undefined],
  "a result of null": ['{"error":0,"result":null}', undefined],
  "an order without an id": ['{"error":0,"result":{"hash":"abc"}}', undefined],
};
