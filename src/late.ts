import { lateDesk } from "./desk/lateDesk.ts";
import { discoveryPorts } from "./exchange/discovery/discovery.ts";
import { createClient } from "./exchange/client.ts";
import { readProfile } from "./exchange/profile.ts";
import { openWebSocket } from "./exchange/stream/socket.ts";
import { LIST_TOOLS } from "./hub/calls.ts";
import { Door } from "./hub/door.ts";
import { Hub } from "./hub/hub.ts";
import { openPractice } from "./practice/embedded.ts";
import { readChartState } from "./protocol/chart.ts";
import { openAppendLog } from "./storage/appendLog.ts";
import { alertItem } from "./ui/alerts/alertItem.ts";
import { addAlert, editAlert } from "./ui/alerts/alertPrompt.ts";
import { alertsProblemText } from "./ui/alerts/alertText.ts";
import { announce } from "./ui/alerts/announcement.ts";
import { kept } from "./ui/alerts/keptAlert.ts";
import { WindowAssistant } from "./ui/assistant/windowAssistant.ts";
import { ChartPanel } from "./ui/chart/chartPanel.ts";
import { pickPair } from "./ui/markets/pairPicker.ts";
import { PinnedTickers } from "./ui/markets/pinnedTickers.ts";
import { WatchlistActions } from "./ui/markets/watchlistActions.ts";
import { AccountOffer, askAboutAccount } from "./ui/orders/accountQuestion.ts";
import { cancelAllOfPair, cancelOrder } from "./ui/orders/cancelOrders.ts";
import { confirmCancel } from "./ui/orders/cancelQuestion.ts";
import { FillMessages } from "./ui/orders/fillMessages.ts";
import {
  checkOrder,
  copyOrder,
  exportFills,
  exportOrders,
  revealJournal,
  settleByHand,
} from "./ui/orders/orderActions.ts";
import { OrderRow } from "./ui/orders/orderRows.ts";
import { OrdersTree } from "./ui/orders/ordersTree.ts";
import { sayClientIdsIgnored } from "./ui/ticket/clientIdNotice.ts";
import { sayOrdersLeftOut } from "./ui/orders/leftOutNotice.ts";
import { confirmBeyond, confirmOrder } from "./ui/ticket/confirmation.ts";
import { TicketPanel } from "./ui/ticket/ticketPanel.ts";
import { removeCredentials, setCredentials } from "./ui/venue/credentialsPrompt.ts";
import { openLive } from "./ui/venue/liveVenue.ts";
import { exportProfile, importProfile } from "./ui/venue/profileFiles.ts";
import { resetPractice } from "./ui/venue/resetPractice.ts";
import { setUpLive, testConnection } from "./ui/venue/setUpLive.ts";
import { switchVenue } from "./ui/venue/venuePick.ts";
import { showBalance } from "./ui/wallet/balancePick.ts";
import { enterCost } from "./ui/wallet/costPrompt.ts";
import { WalletRows } from "./ui/wallet/walletRows.ts";

/**
 * What the start of the editor does not need: what the desk, views, commands and pages use at their first use. With all that
 * only these parts import, this is the second file of the extension. `src/ports.ts` alone imports it, and hands it down as a
 * function; each part that is given the function declares which of these it needs.
 */
export const late = {
  ...lateDesk,
  AccountOffer,
  askAboutAccount,
  addAlert,
  alertItem,
  alertsProblemText,
  announce,
  cancelAllOfPair,
  cancelOrder,
  ChartPanel,
  checkOrder,
  confirmBeyond,
  confirmCancel,
  confirmOrder,
  copyOrder,
  createClient,
  discoveryPorts,
  Door,
  editAlert,
  enterCost,
  exportFills,
  exportOrders,
  exportProfile,
  FillMessages,
  Hub,
  importProfile,
  kept,
  LIST_TOOLS,
  openAppendLog,
  openLive,
  openPractice,
  openWebSocket,
  OrderRow,
  OrdersTree,
  pickPair,
  PinnedTickers,
  readChartState,
  readProfile,
  removeCredentials,
  resetPractice,
  revealJournal,
  sayClientIdsIgnored,
  sayOrdersLeftOut,
  setCredentials,
  settleByHand,
  setUpLive,
  showBalance,
  testConnection,
  switchVenue,
  TicketPanel,
  WalletRows,
  WatchlistActions,
  WindowAssistant,
};
