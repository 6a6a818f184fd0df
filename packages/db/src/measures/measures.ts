export { liveSandboxes, liveSessions, warmRows } from './live-rows.ts'
export { owedRows, owedWork } from './owed-rows.ts'
