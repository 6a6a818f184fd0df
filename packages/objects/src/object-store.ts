import type { Readable } from 'node:stream'

export interface ObjectInfo {
  readonly key: string
  readonly bytes: number
  readonly modified_at: Date
}

/** A part of an object; it begins inside of it. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Bytes at hand, or a stream of any length. */
export type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Keeps what outlives a process, each object whole under its key. A key is names of letters, digits and `._=-` with `/`
 * between; none is `.` or `..`. What cannot be reached throws; what is not there is null.
 */
export interface ObjectStore {
  /** Puts the object there whole, in place of one that has the key; a reader meets the old or the new. */
  put(key: string, body: ObjectBody): Promise<void>
  get(key: string, range?: ByteRange): Promise<Readable | null>
  head(key: string): Promise<ObjectInfo | null>
  /** Objects whose key begins with these characters, in no certain order. */
  list(prefix: string): AsyncIterable<ObjectInfo>
  /** Removes the object; does nothing when there is none. */
  delete(key: string): Promise<void>
  /** Gives an object a second key without moving its bytes; false when it is not there. */
  copy(from: string, to: string): Promise<boolean>
  /** Throws while the store cannot be used. */
  check(): Promise<void>
  close(): void
}
