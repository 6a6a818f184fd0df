import { randomBytes, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

/** A project's key in the clear. It does not show its bytes in a log, a dump or JSON. */
export class DataKey {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The bytes, for the cipher and the HMAC of this package only. */
  static bytesOf(key: DataKey): Buffer {
    return key.#bytes
  }

  static areSame(one: DataKey, other: DataKey): boolean {
    return timingSafeEqual(one.#bytes, other.#bytes)
  }

  toJSON(): string {
    return '[data key]'
  }

  [inspect.custom](): string {
    return '[data key]'
  }
}

export function newDataKey(): DataKey {
  return new DataKey(randomBytes(32))
}
