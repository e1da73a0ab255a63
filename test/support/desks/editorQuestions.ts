import type { DeskPorts } from "../../../src/desk/desk.ts";
import * as shown from "../../../src/ui/ticket/confirmation.ts";

/** The native questions of the product. Load this module through the editor's stand-in. */
export const confirmAbove: DeskPorts["ask"]["confirmAbove"] = ({ bid, venue, ...rest }) =>
  shown.confirmAbove(bid, venue, rest);

export const confirm: DeskPorts["ask"]["confirm"] = ({ bid, venue, ...rest }) =>
  shown.confirmBid(bid, venue, rest);
