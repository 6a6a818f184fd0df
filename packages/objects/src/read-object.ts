import { buffer } from 'node:stream/consumers'
import type { ByteRange, ObjectStore } from './object-store.ts'

/** All bytes of an object, or of a part of it, at once; null when it is not there. */
export async function readObject(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  range?: ByteRange,
): Promise<Buffer | null> {
  const stream = await store.get(key, range)
  return stream === null ? null : buffer(stream)
}
