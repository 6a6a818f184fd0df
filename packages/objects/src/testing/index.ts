export { describeObjectStore } from './describe-object-store.ts'
export { openTestStore } from './open-test-store.ts'
export { openTestBucket, type TestBucket } from './open-test-bucket.ts'
