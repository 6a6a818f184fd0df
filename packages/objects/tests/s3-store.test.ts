import { openObjectStore } from '@svc/objects'
import { describeObjectStore, openTestBucket } from '@svc/objects/testing'

const open = async () => {
  const bucket = await openTestBucket()
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

describeObjectStore('a bucket of an S3 server', open, { is_atomic: false })
