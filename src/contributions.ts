/** Every id that package.json contributes and code or tests refer to. A test holds the two together. */

export const extensionId = "bidside.bidside";

export const containerId = "bidside";

export const viewIds = {
  markets: "bidside.markets",
  orders: "bidside.orders",
  alerts: "bidside.alerts",
  wallet: "bidside.wallet",
} as const;

/** Commands. Their arguments are in `src/ui/commands.ts`. */
export const commandIds = {
  placeBid: "bidside.placeBid",
  openTicket: "bidside.openTicket",
  placeAsk: "bidside.placeAsk",
  sellAsset: "bidside.sellAsset",
  refresh: "bidside.refresh",
  setUpLive: "bidside.setUpLive",
  setCredentials: "bidside.setCredentials",
  testConnection: "bidside.testConnection",
  removeCredentials: "bidside.removeCredentials",
  switchVenue: "bidside.switchVenue",
  importProfile: "bidside.importProfile",
  exportProfile: "bidside.exportProfile",
  showLog: "bidside.showLog",
  showBalance: "bidside.showBalance",
  resetPractice: "bidside.resetPractice",
  togglePrivacy: "bidside.togglePrivacy",
  showAmounts: "bidside.showAmounts",
  enterCost: "bidside.enterCost",

  checkOrder: "bidside.checkOrder",
  markPlaced: "bidside.markPlaced",
  markNotPlaced: "bidside.markNotPlaced",
  sameAccount: "bidside.sameAccount",
  bidAgain: "bidside.bidAgain",
  copyOrder: "bidside.copyOrder",
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

  findPair: "bidside.findPair",
  sortMarkets: "bidside.sortMarkets",
  showFavourites: "bidside.showFavourites",
  showAllPairs: "bidside.showAllPairs",
  star: "bidside.star",
  unstar: "bidside.unstar",
  moveFavouriteUp: "bidside.moveFavouriteUp",
  moveFavouriteDown: "bidside.moveFavouriteDown",
  pin: "bidside.pin",
  unpin: "bidside.unpin",

  openChart: "bidside.openChart",
  glanceAtChart: "bidside.glanceAtChart",
} as const;

/** Commands of rows. A title of a view offers none of them, so a view calls each with its row. */
export const rowCommands: ReadonlySet<string> = new Set<keyof typeof commandIds>([
  "placeBid",
  "placeAsk",
  "sellAsset",
  "checkOrder",
  "markPlaced",
  "markNotPlaced",
  "sameAccount",
  "bidAgain",
  "copyOrder",
  "cancelOrder",
  "cancelAllOfPair",
  "enterCost",
  "editAlert",
  "removeAlert",
  "rearmAlert",
  "openChart",
  "glanceAtChart",
  "star",
  "unstar",
  "moveFavouriteUp",
  "moveFavouriteDown",
  "pin",
  "unpin",
]);

/** Full setting keys. `exchange.*` and `orders.*` affect signed requests: application scope, so no workspace can override them. */
export const settingKeys = {
  venue: "bidside.exchange.venue",
  baseUrl: "bidside.exchange.baseUrl",
  headerPrefix: "bidside.exchange.headerPrefix",
  paths: "bidside.exchange.paths",
  walletMethod: "bidside.exchange.walletMethod",
  symbolOrder: "bidside.exchange.symbolOrder",
  historyPath: "bidside.exchange.historyPath",
  features: "bidside.exchange.features",
  refreshSeconds: "bidside.markets.refreshSeconds",
  liveMarkets: "bidside.markets.live",
  invertColors: "bidside.markets.invertColors",
  showKeys: "bidside.charts.showKeys",
  showOrders: "bidside.charts.showOrders",
  showFills: "bidside.charts.showFills",
  showAverageCost: "bidside.charts.showAverageCost",
  hideAmounts: "bidside.wallet.hideAmounts",
  timeFormat: "bidside.time.format",
  confirmAbovePercent: "bidside.orders.confirmAbovePercent",
  refuseAbovePercent: "bidside.orders.refuseAbovePercent",
  maximumAmount: "bidside.orders.maximumAmount",
  maximumPriceAgeSeconds: "bidside.orders.maximumPriceAgeSeconds",
  announceFills: "bidside.orders.announceFills",
  csvFormat: "bidside.orders.csvFormat",
  historyMaximumMegabytes: "bidside.history.maximumMegabytes",
  assistantAccess: "bidside.assistant.access",
} as const;

export const contextKeys = {
  /** `loading`, `ready`, `unset` or `noFavourites`: which welcome text an empty Markets view shows. */
  marketsState: "bidside.marketsState",
  /** `loading`, `noKey` or `ready`: likewise for the Wallet view. */
  walletState: "bidside.walletState",
  favouritesOnly: "bidside.favouritesOnly",
  /** The active exchange takes orders to sell. */
  offersAsks: "bidside.offersAsks",
  /** The active exchange cancels orders. */
  offersCancel: "bidside.offersCancel",
  /** Steps of the walkthrough: true for a moment only, when the editor is to tick one that the user has done. */
  hasSeenPrices: "bidside.hasSeenPrices",
  hasOpenedChart: "bidside.hasOpenedChart",
  hasTraded: "bidside.hasTraded",
  hasAddedAlert: "bidside.hasAddedAlert",
  hasGoneLive: "bidside.hasGoneLive",
} as const;

export const colorIds = {
  up: "bidside.up",
  down: "bidside.down",
} as const;

/** The provider of the server for assistants outside the extension host. */
export const mcpProviderId = "bidside.mcp";

/** Keys in the editor's store of global state. */
export const stateKeys = {
  watchlist: "bidside.watchlist",
  liveSetup: "bidside.liveSetup",
  walkthrough: "bidside.walkthrough",
} as const;

export const panelTypes = {
  bidForm: "bidside.bidForm",
  chart: "bidside.chart",
} as const;

/** The page about what an exchange offers. The editor does not restore it. */
export const exchangePanelType = "bidside.exchange";

/** Status bar item ids: the workbench prefixes them with the extension's id. */
export const statusItemIds = {
  balance: "balance",
  /** Followed by the pair's key: hiding an item in the status bar's menu hides that pair. */
  pinned: "pinned.",
} as const;

/** `contextValue` of a Markets row; the marks of a favourite and of a pinned pair follow it, in this order. */
export const rowContexts = {
  pair: "pair",
  frozenPair: "frozenPair",
} as const;

export const rowMarks = {
  favourite: ".favourite",
  pinned: ".pinned",
} as const;

/** `contextValue` of a Wallet row. */
export const walletContexts = {
  /** A listed pair can sell the asset. */
  sellable: "sellableAsset",
  /** Its pair is frozen. */
  frozen: "frozenAsset",
} as const;

/** `contextValue` of an Orders row. */
export const orderContexts = {
  unsettled: "unsettledBid",
  settled: "settledBid",
  /** An own order that can be cancelled. */
  open: "openBid",
  /** The same for an order that was placed elsewhere. */
  openElsewhere: "openElsewhere",
  doneElsewhere: "doneElsewhere",
  openGroup: "openGroup",
  /** The orders of an account that is not signed in. */
  otherAccount: "otherAccount",
  group: "group",
  skippedLines: "skippedLines",
} as const;

/** `contextValue` of an Alerts row. */
export const alertContexts = {
  armed: "armedAlert",
  quiet: "quietAlert",
} as const;

/** Key in SecretStorage of the pair entered for an origin: a pair for another server has another key. */
export function liveSecretKey(origin: string): string {
  return `bidside.credentials.live:${origin}`;
}

/** Key in SecretStorage of an API key whose secret was not entered yet. */
export function pendingSecretKey(origin: string): string {
  return `bidside.credentials.begun:${origin}`;
}
