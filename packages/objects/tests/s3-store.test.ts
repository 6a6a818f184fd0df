import { describeObjectStore, openTestBucket } from '@svc/objects/testing'
import { openBucketStore } from './open-bucket-store.ts'

describeObjectStore('a bucket of an S3 server', () => openBucketStore(openTestBucket), { is_atomic: false })
