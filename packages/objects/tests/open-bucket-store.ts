import { openObjectStore } from '@svc/objects'
import type { TestBucket } from '@svc/objects/testing'

/** A store in a bucket of its own, as the suite of stores opens one. */
export async function openBucketStore(openBucket: () => Promise<TestBucket>) {
  const bucket = await openBucket()
  const store = await openObjectStore(bucket.place('svc'), bucket.keys)
  return {
    store,
    makeUnusable: bucket.remove,
    async close() {
      store.close()
      await bucket.close()
    },
  }
}
