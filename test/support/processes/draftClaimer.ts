/**
 * One of several separate processes: `node draftClaimer.ts DIRECTORY GATE`. When the file GATE exists, it claims
 * every draft in it (a JSON array of ids), and prints the claimed ids. `GATE-pid` says that the process waits.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";

const [directory = "", gate = ""] = process.argv.slice(2);
const journal = openOrderJournal({ directory, now: Date.now });
writeFileSync(`${gate}-${process.pid}`, "");
const end = Date.now() + 30_000;
// No pause between two checks: a process that sleeps would be late for every draft.
while (!existsSync(gate) && Date.now() < end);
const ids = JSON.parse(readFileSync(gate, "utf8")) as string[];
console.log(JSON.stringify(ids.filter((id) => journal.claimDraft(id))));
journal.close();
