/**
 * Run as a process of its own, one of several: `node draftClaimer.ts DIRECTORY GATE`. Once the file GATE is there, claims
 * every draft that it names (a JSON array of ids), and prints those it got. `GATE-pid` says that it waits.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";

const [directory = "", gate = ""] = process.argv.slice(2);
const journal = openOrderJournal({ directory, now: Date.now });
writeFileSync(`${gate}-${process.pid}`, "");
const end = Date.now() + 30_000;
// No pause between two looks: whoever slept would come late to every draft.
while (!existsSync(gate) && Date.now() < end);
const ids = JSON.parse(readFileSync(gate, "utf8")) as string[];
console.log(JSON.stringify(ids.filter((id) => journal.claimDraft(id))));
journal.close();
