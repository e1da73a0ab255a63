import { BookStream } from "../exchange/stream/bookStream.ts";
import { TickerStream } from "../exchange/stream/tickerStream.ts";
import { AlertFiles } from "../storage/alertFiles.ts";
import { openLongJournal } from "../storage/orders/orderJournal.ts";
import { openPriceHistory, takeOverHistory } from "../storage/prices/history.ts";
import { Alerts } from "./alerts/alerts.ts";
import type { LateDesk } from "./deskPorts.ts";
import { PairRules } from "./feeds/pairRules.ts";
import { OrderFollowing } from "./life/orderFollowing.ts";
import { OrderPlacer } from "./orders/orderPlacer.ts";
import { UnknownOrders } from "./orders/unknownOrders.ts";
import { Session } from "./session.ts";

/** The desk's port `late` for a program that has loaded everything, such as the second file of the extension. */
export const lateDesk: LateDesk = {
  AlertFiles,
  Alerts,
  BookStream,
  openLongJournal,
  openPriceHistory,
  takeOverHistory,
  OrderFollowing,
  OrderPlacer,
  PairRules,
  Session,
  TickerStream,
  UnknownOrders,
};
