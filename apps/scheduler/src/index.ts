export { type Scheduler, startScheduler } from './start.ts'
