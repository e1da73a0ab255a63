/**
 * A separate process that is killed: `node journalWriter.ts DIRECTORY ACKNOWLEDGED`. It writes bids to a journal,
 * and each record's id and kind to the second file after the journal has acknowledged the record.
 */
import { appendFileSync } from "node:fs";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../builders/bidIntent.ts";

const [directory = "", acknowledged = ""] = process.argv.slice(2);
const journal = openOrderJournal({ directory, now: Date.now });
console.log(JSON.stringify(process.pid));
const MOST = 20_000;
for (let count = 0; count < MOST; count++) {
  const intent = bidIntent({ at: Date.now() });
  journal.recordIntent(intent);
  appendFileSync(acknowledged, `${intent.id} intent\n`);
  journal.recordCheck(intent.id, { text: "no change" });
  appendFileSync(acknowledged, `${intent.id} check\n`);
  journal.recordOutcome(intent.id, { state: "accepted", orderId: String(count) });
  appendFileSync(acknowledged, `${intent.id} outcome\n`);
}
