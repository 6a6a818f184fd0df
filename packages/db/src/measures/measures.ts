export { liveSandboxes, liveSessions, warmRows } from './live-rows.ts'
