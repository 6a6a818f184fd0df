export { describeObjectStore } from './describe-object-store.ts'
export { openTestStore } from './open-test-store.ts'
