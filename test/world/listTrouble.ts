import type { Features } from "../../src/exchange/features.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import type { PracticeResponse } from "../../src/practice/http/service.ts";
import type { PracticeOrder } from "../../src/practice/account/order.ts";

/** What is wrong with what an exchange answers about orders, for a while. */
export const listFaults = ["emptyLists", "cappedList", "staleList", "wrongEnds"] as const;
export type ListFault = (typeof listFaults)[number];

/**
 * What an exchange always answers about orders, unlike others.
 *
 * - `remainders`: a list of open orders has what is left of each.
 * - `sameParent`: each row of it names the same parent, which is no order.
 * - `brokenInfos`: the info of one order in three fails for ever.
 */
export const listQuirks = ["remainders", "sameParent", "brokenInfos"] as const;
export type ListQuirk = (typeof listQuirks)[number];

const EMPTY = '{"error":0,"result":[]}';
const UNKNOWN = '{"error":24,"message":"No such order is known."}';
/** The ids of orders count from one: a thousand more is a later id of the same order. */
const LATER = 1000;
/** No order has this id. */
const NO_ORDER = 999;
const FAILURE = { status: 500, text: "Internal Server Error" };

/** The id in the books, by any id of an order. */
export function bookId(orderId: string): string {
  return String(Number(orderId) % LATER);
}

/** The lists of an exchange as they are wrong, and the new ids of orders of which a part was filled. */
export class ListTrouble {
  /** The present fault. */
  fault: ListFault | undefined;
  /** Whether a list was wrong since the exchange began. */
  wasWrong = false;
  /** Ids in the books of open orders that were called cancelled. */
  readonly calledCancelled = new Set<string>();
  /** Whether an order gets a new id with each match. */
  readonly #continues: boolean;
  readonly #quirks: ReadonlySet<ListQuirk>;
  readonly #features: () => Features;
  readonly #orderOf: (id: string) => PracticeOrder | undefined;
  /** The newest right answers, by their requests. */
  readonly #answers = new Map<string, string>();

  constructor(
    continues: boolean,
    quirks: readonly ListQuirk[],
    features: () => Features,
    orderOf: (id: string) => PracticeOrder | undefined,
  ) {
    this.#continues = continues;
    this.#quirks = new Set(quirks);
    this.#features = features;
    this.#orderOf = orderOf;
  }

  /** The target and the body of a request with the ids of the books; undefined if it has no other id. */
  asked({ url, body }: HttpRequest): { readonly path: string; readonly body: string } | undefined {
    const id = idIn(url, body);
    if (id === undefined || id < LATER) return undefined;
    const renamed = (text: string): string => text.replace(String(id), bookId(String(id)));
    return { path: url.pathname + renamed(url.search), body: renamed(String(body ?? "")) };
  }

  /** The answer as it leaves the exchange. */
  answered(request: HttpRequest, answer: PracticeResponse): PracticeResponse {
    if (answer.status !== 200) return answer;
    const { openOrders, orderInfo, orderHistory } = this.#features();
    const { pathname, href } = request.url;
    const kind = [openOrders, orderInfo, orderHistory].findIndex((each) => each?.path === pathname);
    if (kind === -1 || !answer.text.startsWith('{"error":0,')) return answer;
    const id = kind === 1 ? idIn(request.url, request.body) : undefined;
    if (id !== undefined && this.hasBrokenInfo(String(id))) return { ...answer, ...FAILURE };
    const ofService = kind === 0 ? this.#strange(answer.text) : answer.text;
    const text = this.#continues ? this.#renamed(ofService, request) : ofService;
    const key = `${href} ${String(request.body)}`;
    if (this.fault === undefined) this.#answers.set(key, text);
    return { ...answer, text: this.#wrong(text, kind, key) };
  }

  hasBrokenInfo(orderId: string): boolean {
    return this.#quirks.has("brokenInfos") && Number(bookId(orderId)) % 3 === 0;
  }

  #wrong(text: string, kind: number, key: string): string {
    const isOpenOrders = kind === 0;
    switch (this.fault) {
      case "emptyLists":
        return kind === 1 ? UNKNOWN : EMPTY;
      case "cappedList": {
        const rows: unknown[] = JSON.parse(text).result;
        return isOpenOrders ? JSON.stringify({ error: 0, result: rows.slice(0, 1) }) : text;
      }
      case "staleList":
        return isOpenOrders ? (this.#answers.get(key) ?? EMPTY) : text;
      case "wrongEnds":
        return kind === 1 ? this.#cancelled(text) : text;
      case undefined:
        return text;
    }
  }

  #cancelled(text: string): string {
    const answer: { result: Row } = JSON.parse(text);
    const { status, id } = answer.result;
    if (status !== "unfilled") return text;
    this.calledCancelled.add(bookId(String(id)));
    return JSON.stringify({ ...answer, result: { ...answer.result, status: "cancelled" } });
  }

  #strange(text: string): string {
    if (!this.#quirks.has("remainders") && !this.#quirks.has("sameParent")) return text;
    const answer: { result: Row[] } = JSON.parse(text);
    for (const row of answer.result) {
      const left = this.#orderOf(String(row["id"]))?.left;
      if (left && this.#quirks.has("remainders")) row["amount"] = like(row["amount"], left.toFixed());
      if (this.#quirks.has("sameParent")) row["parent_id"] = like(row["id"], NO_ORDER);
    }
    return JSON.stringify(answer);
  }

  #renamed(text: string, request: HttpRequest): string {
    const answer: { result: unknown } = JSON.parse(text);
    const { result } = answer;
    if (Array.isArray(result)) for (const row of result) this.#renameRow(row);
    else this.#renameInfo(result as Row, request);
    return JSON.stringify(answer);
  }

  #renameRow(row: Row): void {
    if ("order_id" in row) {
      const [id, match] = String(row["txn_id"]).split("-").map(Number);
      row["order_id"] = String((id ?? 0) + LATER * ((match ?? 1) - 1));
      return;
    }
    const order = this.#orderOf(String(row["id"]));
    const count = order?.matches.length ?? 0;
    if (!order || count === 0) return;
    row["parent_id"] = like(row["id"], Number(row["id"]) + LATER * (count - 1));
    row["id"] = like(row["id"], Number(row["id"]) + LATER * count);
    row["amount"] = like(row["amount"], order.left.toFixed());
  }

  #renameInfo(info: Row, { url, body }: HttpRequest): void {
    const id = Number(info["id"]);
    const count = this.#orderOf(String(id))?.matches.length ?? 0;
    const isOver = info["status"] === "filled";
    const last = id + LATER * (isOver ? count - 1 : count);
    info["id"] = String(Math.min(idIn(url, body) ?? id, last));
    info["last"] = String(last);
  }
}

type Row = Record<string, unknown>;

/** A figure or an id in the form that the row has. */
function like(value: unknown, other: number | string): unknown {
  return typeof value === "number" ? Number(other) : String(other);
}

/** The id of the order that a request is about. */
function idIn(url: URL, body: HttpRequest["body"]): number | undefined {
  const text = url.searchParams.get("id") ?? /"id":"?(\d+)/.exec(String(body))?.[1];
  return text === undefined ? undefined : Number(text);
}
