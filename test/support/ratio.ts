/** An exact fraction, for models that must share no arithmetic with the product. */
export class Ratio {
  static readonly zero = new Ratio(0n, 1n);

  /** Of plain decimal text. */
  static of(text: string): Ratio {
    const [whole = "", decimals = ""] = text.split(".");
    return new Ratio(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  readonly #top: bigint;
  /** Above zero. */
  readonly #bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    [this.#top, this.#bottom] = bottom < 0n ? [-top, -bottom] : [top, bottom];
  }

  plus(other: Ratio): Ratio {
    return new Ratio(this.#top * other.#bottom + other.#top * this.#bottom, this.#bottom * other.#bottom);
  }

  minus(other: Ratio): Ratio {
    return this.plus(new Ratio(-other.#top, other.#bottom));
  }

  times(other: Ratio): Ratio {
    return new Ratio(this.#top * other.#top, this.#bottom * other.#bottom);
  }

  over(other: Ratio): Ratio {
    return new Ratio(this.#top * other.#bottom, this.#bottom * other.#top);
  }

  abs(): Ratio {
    return this.#top < 0n ? new Ratio(-this.#top, this.#bottom) : this;
  }

  /** Negative, zero or positive, like this minus the other. */
  compare(other: Ratio): number {
    const left = this.#top * other.#bottom;
    const right = other.#top * this.#bottom;
    return left < right ? -1 : Number(left > right);
  }

  equals(other: Ratio): boolean {
    return this.compare(other) === 0;
  }

  /** To a number of decimals; `half` away from zero. */
  rounded(places: number, mode: "down" | "half" | "up"): Ratio {
    const unit = 10n ** BigInt(places);
    const [size, bottom] = [(this.#top < 0n ? -this.#top : this.#top) * unit, this.#bottom];
    const add = { down: 0n, half: bottom, up: 2n * (bottom - 1n) }[mode];
    const count = (2n * size + add) / (2n * bottom);
    return new Ratio(this.#top < 0n ? -count : count, unit);
  }

  /** Plain decimal text; throws unless 40 decimals are exact. */
  text(): string {
    const places = 40;
    const exact = this.rounded(places, "down");
    if (!exact.equals(this)) throw new RangeError("No finite decimal text.");
    const digits = (exact.#top < 0n ? -exact.#top : exact.#top).toString().padStart(places + 1, "0");
    const whole = digits.slice(0, -places);
    const decimals = digits.slice(-places).replace(/0+$/, "");
    return `${exact.#top < 0n ? "-" : ""}${whole}${decimals && "."}${decimals}`;
  }
}
