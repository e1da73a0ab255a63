/** Ids that package.json contributes and that code or tests refer to. A test checks that they agree. */

export const extensionId = "bidside.bidside";

export const containerId = "bidside";

export const viewIds = {
  markets: "bidside.markets",
  orders: "bidside.orders",
  alerts: "bidside.alerts",
  wallet: "bidside.wallet",
} as const;

/** Arguments of the commands are in `src/ui/commands.ts`. */
export const commandIds = {
  placeBid: "bidside.placeBid",
  openTicket: "bidside.openTicket",
  placeAsk: "bidside.placeAsk",
  sellAsset: "bidside.sellAsset",
  refresh: "bidside.refresh",
  setCredentials: "bidside.setCredentials",
  testConnection: "bidside.testConnection",
  removeCredentials: "bidside.removeCredentials",
  switchAccount: "bidside.switchAccount",
  addAccount: "bidside.addAccount",
  editAccount: "bidside.editAccount",
  renameAccount: "bidside.renameAccount",
  removeAccount: "bidside.removeAccount",
  importProfile: "bidside.importProfile",
  exportProfile: "bidside.exportProfile",
  showLog: "bidside.showLog",
  showBalance: "bidside.showBalance",
  resetPractice: "bidside.resetPractice",
  togglePrivacy: "bidside.togglePrivacy",
  toggleHidden: "bidside.toggleHidden",
  showAmounts: "bidside.showAmounts",
  showValuesIn: "bidside.showValuesIn",
  hideSmallBalances: "bidside.hideSmallBalances",
  enterCost: "bidside.enterCost",
  addHolding: "bidside.addHolding",
  editHolding: "bidside.editHolding",
  removeHolding: "bidside.removeHolding",
  openPortfolio: "bidside.openPortfolio",
  exportValues: "bidside.exportValues",

  checkOrder: "bidside.checkOrder",
  markPlaced: "bidside.markPlaced",
  markNotPlaced: "bidside.markNotPlaced",
  orderAgain: "bidside.orderAgain",
  changeOrder: "bidside.changeOrder",
  copyOrder: "bidside.copyOrder",
  revealOrder: "bidside.revealOrder",
  cancelOrder: "bidside.cancelOrder",
  cancelAllOfPair: "bidside.cancelAllOfPair",
  showMoreOrders: "bidside.showMoreOrders",
  revealJournal: "bidside.revealJournal",
  exportOrders: "bidside.exportOrders",
  exportFills: "bidside.exportFills",

  addAlert: "bidside.addAlert",
  editAlert: "bidside.editAlert",
  removeAlert: "bidside.removeAlert",
  rearmAlert: "bidside.rearmAlert",
  alertChannels: "bidside.alertChannels",

  findPair: "bidside.findPair",
  sortMarkets: "bidside.sortMarkets",
  switchList: "bidside.switchList",
  newList: "bidside.newList",
  manageLists: "bidside.manageLists",
  addToList: "bidside.addToList",
  removeFromList: "bidside.removeFromList",
  importLists: "bidside.importLists",
  exportLists: "bidside.exportLists",
  star: "bidside.star",
  unstar: "bidside.unstar",
  moveUp: "bidside.moveUp",
  moveDown: "bidside.moveDown",
  editStatusBarText: "bidside.editStatusBarText",
  pin: "bidside.pin",
  unpin: "bidside.unpin",

  openChart: "bidside.openChart",
  previewChart: "bidside.previewChart",
  previewOrder: "bidside.previewOrder",
  previewAlert: "bidside.previewAlert",
  previewAsset: "bidside.previewAsset",
} as const;

/** Commands of rows. No view title offers them, so a view always passes the row. */
export const rowCommands: ReadonlySet<string> = new Set<keyof typeof commandIds>([
  "placeBid",
  "placeAsk",
  "sellAsset",
  "checkOrder",
  "markPlaced",
  "markNotPlaced",
  "orderAgain",
  "changeOrder",
  "copyOrder",
  "cancelOrder",
  "cancelAllOfPair",
  "enterCost",
  "editHolding",
  "removeHolding",
  "editAlert",
  "removeAlert",
  "rearmAlert",
  "openChart",
  "previewChart",
  "star",
  "unstar",
  "addToList",
  "removeFromList",
  "moveUp",
  "moveDown",
  "pin",
  "unpin",
]);

/**
 * Full setting keys. Those that affect signed requests, prices or alerts have application scope, so no workspace can
 * override them.
 */
export const settingKeys = {
  refreshSeconds: "bidside.markets.refreshSeconds",
  liveMarkets: "bidside.markets.live",
  invertColors: "bidside.markets.invertColors",
  showOrders: "bidside.charts.showOrders",
  showFills: "bidside.charts.showFills",
  showAverageCost: "bidside.charts.showAverageCost",
  studies: "bidside.charts.studies",
  logScale: "bidside.charts.logScale",
  studyPeriods: "bidside.charts.studyPeriods",
  hideAmounts: "bidside.wallet.hideAmounts",
  hideBelow: "bidside.wallet.hideBelow",
  valuesIn: "bidside.wallet.valuesIn",
  pairFormat: "bidside.statusBar.pairFormat",
  statusBalance: "bidside.statusBar.balance",
  hideStatusBar: "bidside.statusBar.hidden",
  timeFormat: "bidside.time.format",
  confirmAbovePercent: "bidside.orders.confirmAbovePercent",
  refuseAbovePercent: "bidside.orders.refuseAbovePercent",
  maximumAmount: "bidside.orders.maximumAmount",
  maximumPriceAgeSeconds: "bidside.orders.maximumPriceAgeSeconds",
  announceFills: "bidside.orders.announceFills",
  csvFormat: "bidside.orders.exportFormat",
  alertWebhook: "bidside.alerts.webhook",
  alertProgram: "bidside.alerts.program",
  alertSendFills: "bidside.alerts.sendFills",
  historyMaximumMegabytes: "bidside.history.maximumMegabytes",
  assistantAccess: "bidside.assistant.access",
} as const;

export const contextKeys = {
  /** `loading`, `ready`, `noFavourites` or `emptyList`: selects the welcome text of an empty Markets view. */
  marketsState: "bidside.marketsState",
  /** `loading`, `noKey` or `ready`: selects the welcome text of an empty Wallet view. */
  walletState: "bidside.walletState",
  /** What Markets shows: `all` pairs, the `favourites` or an `other` list. */
  activeList: "bidside.activeList",
  /** Whether this window is on a live account. */
  isLive: "bidside.isLive",
  /** Whether the active exchange supports sell orders. */
  offersAsks: "bidside.offersAsks",
  /** Whether the active exchange supports cancelling orders. */
  offersCancel: "bidside.offersCancel",
  /**
   * Steps of the walkthrough. Each is true only for a moment, to make the editor tick a step that the user has
   * completed.
   */
  hasSeenPrices: "bidside.hasSeenPrices",
  hasOpenedChart: "bidside.hasOpenedChart",
  hasMadeList: "bidside.hasMadeList",
  hasTraded: "bidside.hasTraded",
  hasSeenPortfolio: "bidside.hasSeenPortfolio",
  hasAddedAlert: "bidside.hasAddedAlert",
  hasGoneLive: "bidside.hasGoneLive",
} as const;

export const colorIds = {
  up: "bidside.up",
  down: "bidside.down",
} as const;

/** Scheme of the documents of accounts. */
export const accountScheme = "bidside";

/** Id of the provider that registers the MCP server. */
export const mcpProviderId = "bidside.mcp";

/** Keys in the editor's store of global state. */
export const stateKeys = {
  watchLists: "bidside.watchLists",
  liveSetup: "bidside.liveSetup",
  /** The id of this window's account, in the state of the workspace. */
  account: "bidside.account",
  walkthrough: "bidside.walkthrough",
  firstLook: "bidside.firstLook",
} as const;

/** Those that Settings Sync carries to the user's other computers. */
export const syncedStateKeys = [stateKeys.watchLists, stateKeys.firstLook];

export const panelTypes = {
  bidForm: "bidside.bidForm",
  chart: "bidside.chart",
} as const;

/** The page that shows what an exchange offers. The editor does not restore it. */
export const exchangePanelType = "bidside.exchange";

/** The page of what the account is worth. */
export const portfolioPanelType = "bidside.portfolio";

/** Status bar item ids, which the workbench prefixes with the extension's id. */
export const statusItemIds = {
  balance: "balance",
  /** Followed by the pair's key, so that hiding an item in the status bar's menu hides that pair. */
  pinned: "pinned.",
} as const;

/** `contextValue` of a Markets row, followed by the marks of a favourite and of a pinned pair, in this order. */
export const rowContexts = {
  pair: "pair",
  frozenPair: "frozenPair",
  /** In a list, but not listed by the exchange. */
  unlistedPair: "unlistedPair",
} as const;

export const rowMarks = {
  favourite: ".favourite",
  pinned: ".pinned",
} as const;

/** `contextValue` of a Wallet row. */
export const walletContexts = {
  /** The asset can be sold on a listed pair. */
  sellable: "sellableAsset",
  /** The asset's pair is frozen. */
  frozen: "frozenAsset",
  /** A holding that the user entered. */
  elsewhere: "heldElsewhere",
  /** The same, of an asset with a pair. */
  pricedElsewhere: "pricedElsewhere",
} as const;

/** `contextValue` of an Orders row. */
export const orderContexts = {
  unsettled: "unsettledOrder",
  settled: "settledOrder",
  /** An own order that can be cancelled. */
  open: "openOrder",
  /** An order placed elsewhere that can be cancelled. */
  openElsewhere: "openElsewhere",
  doneElsewhere: "doneElsewhere",
  openGroup: "openGroup",
  group: "group",
  skippedLines: "skippedLines",
} as const;

/** `contextValue` of an Alerts row. */
export const alertContexts = {
  armed: "armedAlert",
  quiet: "quietAlert",
} as const;

/** SecretStorage key of the API key and secret of an account, by id, with the origin that they were entered for. */
export function accountSecretKey(account: string): string {
  return `bidside.credentials.account:${account}`;
}

/** SecretStorage key of the webhook for alerts: its service and URL. */
export const webhookSecretKey = "bidside.alerts.webhook";

/** SecretStorage key of an API key whose secret has not been entered yet. */
export function pendingSecretKey(account: string): string {
  return `bidside.credentials.begun:${account}`;
}
