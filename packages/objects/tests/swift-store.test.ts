import { describeObjectStore } from '@svc/objects/testing'
import { test } from 'vitest'
import { openBucketStore } from './open-bucket-store.ts'
import { noSwift, openSwiftBucket } from './swift.ts'

if (noSwift === null) describeObjectStore('a bucket of Swift', () => openBucketStore(openSwiftBucket))
else if (process.env['CI'] === undefined) test.skip(`a bucket of Swift, because ${noSwift}`)
else
  test('a bucket of Swift', () => {
    throw new Error(`Swift must be there in CI: ${noSwift}`)
  })
