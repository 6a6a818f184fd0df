export { countOwn, restoreRows, type RowsToRestore } from './restore-rows.ts'
export { type ManagedProject, openSnapshot, type Snapshot } from './snapshot.ts'
export { forgetSealed } from './forget-sealed.ts'
