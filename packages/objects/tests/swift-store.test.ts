import { openObjectStore } from '@svc/objects'
import { describeObjectStore } from '@svc/objects/testing'
import { test } from 'vitest'
import { noSwift, openSwiftBucket } from './swift.ts'

const open = async () => {
  const bucket = await openSwiftBucket()
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

if (noSwift === null) describeObjectStore('a bucket of Swift', open)
else if (process.env['CI'] === undefined) test.skip(`a bucket of Swift, because ${noSwift}`)
else
  test('a bucket of Swift', () => {
    throw new Error(`Swift must be there in CI: ${noSwift}`)
  })
