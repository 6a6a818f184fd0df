export interface ByteCache {
  get(key: string): Buffer | undefined
  put(key: string, bytes: Buffer): void
}

/** Bytes at hand, the least recently used of which go once there are more than `max_bytes`. */
export function byteCache(max_bytes: number): ByteCache {
  const entries = new Map<string, Buffer>()
  let held = 0
  return {
    get(key) {
      const bytes = entries.get(key)
      if (bytes === undefined) return undefined
      entries.delete(key)
      entries.set(key, bytes)
      return bytes
    },
    put(key, bytes) {
      if (entries.has(key) || bytes.length > max_bytes) return
      entries.set(key, bytes)
      held += bytes.length
      for (const [oldest, { length }] of entries) {
        if (held <= max_bytes) return
        entries.delete(oldest)
        held -= length
      }
    },
  }
}
