import { groups } from "./groups.ts";

/** Measures one group of rows, sends its figures to the process that started this one, and ends, also if that process ends. */
process.once("disconnect", () => process.exit(1));
const figures = await groups.get(process.argv[2] ?? "")?.();
process.send?.(figures, () => process.exit());
