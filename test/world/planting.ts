import type { Canceller } from "../../src/desk/tracking/canceller.ts";
import type { Desk } from "../../src/desk/desk.ts";
import type { Orders } from "../../src/desk/orders/orders.ts";
import type { Reconciler } from "../../src/desk/unknown/reconciler.ts";
import type { Freshness } from "../../src/desk/feeds/freshness.ts";
import type { Overlay } from "../../src/desk/feeds/overlay.ts";
import type { StreamedBook } from "../../src/desk/feeds/streamedBook.ts";
import type { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import type { ReadRunner } from "../../src/desk/tracking/readRunner.ts";
import type { StreamedOrders } from "../../src/desk/tracking/streamedOrders.ts";
import type { Windows } from "../../src/desk/windows/windows.ts";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import type { RefusedError } from "../../src/exchange/errors.ts";
import type { NumberedLock } from "../../src/files/numberedLock.ts";
import type { Hub } from "../../src/hub/hub.ts";
import type { Ledger } from "../../src/practice/account/ledger.ts";
import type { NotificationClaims } from "../../src/storage/notificationClaims.ts";
import type { OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { Check } from "./checks.ts";
import type { Disk } from "./disk.ts";
import type { Person } from "./person.ts";
import type { Sockets } from "./sockets.ts";

/** A method of a class: the object first, then its arguments. */
export type Method = (self: object, ...args: readonly unknown[]) => unknown;

/** The classes whose methods are replaced. */
type Planted =
  | Canceller
  | Desk
  | Disk
  | ExchangeClient
  | Freshness
  | Hub
  | Ledger
  | NotificationClaims
  | NumberedLock
  | OrderJournal
  | Orders
  | Overlay<unknown, unknown>
  | Person
  | ReadRunner
  | Reconciler<unknown>
  | RefusedError
  | Sockets
  | StreamedBook
  | StreamedOrders
  | TickerFeed
  | Windows;

type ReplacementIn<T> = T extends object
  ? {
      readonly of: T;
      /** A method or getter. */
      readonly method: Extract<keyof T, string>;
      readonly instead: (real: Method) => Method;
    }
  : never;

/** A method or getter of a class, and its replacement. */
export type Replacement = ReplacementIn<Planted>;

/** A fault in the product. */
export type Plant = Replacement & {
  readonly name: string;
  /** The check that must find it. */
  readonly finder: Check;
  /** A second fault, if the product has two guards. */
  readonly and?: Replacement;
};

/** Replaces a method; the returned function restores the method. Throws if the method does not exist. */
export function replace({ of, method, instead }: Replacement): () => void {
  const before = Object.getOwnPropertyDescriptor(of, method);
  if (!before) throw new Error(`There is no ${method}.`);
  const real = (before.get ?? before.value) as () => unknown;
  const other = instead((self, ...args) => Reflect.apply(real, self, args));
  function planted(this: object, ...args: readonly unknown[]): unknown {
    return other(this, ...args);
  }
  Object.defineProperty(of, method, {
    ...before,
    ...(before.get ? { get: planted } : { value: planted }),
  });
  return () => void Object.defineProperty(of, method, before);
}
