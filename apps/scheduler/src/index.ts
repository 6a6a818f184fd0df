export { type Scheduler, startScheduler } from './start.ts'
export { Env as schedulerSettings } from './env.ts'
