import type { Check } from "./checks.ts";

/** A method of a class: the object first, then its arguments. */
export type Method = (self: object, ...args: readonly unknown[]) => unknown;

/** A method or getter of a class, and its replacement. */
export interface Replacement {
  readonly of: object;
  readonly method: string;
  readonly instead: (real: Method) => Method;
}

/** A fault in the product. */
export interface Plant extends Replacement {
  readonly name: string;
  /** The check that must find it. */
  readonly finder: Check;
  /** A second fault, if the product has two guards. */
  readonly and?: Replacement;
}

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
