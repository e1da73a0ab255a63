import { groups } from "./groups.ts";

/** Measures one group of rows, sends its figures to the process that started this one, and ends when that process lets go of it. */
process.once("disconnect", () => process.exit());
process.send?.(await groups.get(process.argv[2] ?? "")?.());
