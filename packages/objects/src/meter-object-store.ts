import type { ObjectStore } from './object-store.ts'

export type ObjectOp = 'put' | 'get' | 'head' | 'list' | 'delete' | 'copy'
export type Observe = (labels: { op: ObjectOp; outcome: 'done' | 'failed' }, seconds: number) => void

/** The same store, whose requests are measured. Of a read, it is the time until its first byte may be taken. */
export function meterObjectStore(store: ObjectStore, observe: Observe): ObjectStore {
  async function timed<T>(op: ObjectOp, run: () => Promise<T>): Promise<T> {
    const started = performance.now()
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const result = await run()
      outcome = 'done'
      return result
    } finally {
      observe({ op, outcome }, (performance.now() - started) / 1_000)
    }
  }
  return {
    put: (key, body) => timed('put', () => store.put(key, body)),
    get: (key, range) => timed('get', () => store.get(key, range)),
    head: (key) => timed('head', () => store.head(key)),
    async *list(prefix) {
      const objects = store.list(prefix)[Symbol.asyncIterator]()
      let next = await timed('list', () => objects.next())
      for (; !next.done; next = await objects.next()) yield next.value
    },
    delete: (key) => timed('delete', () => store.delete(key)),
    copy: (from, to) => timed('copy', () => store.copy(from, to)),
    check: () => store.check(),
    close: () => store.close(),
  }
}
