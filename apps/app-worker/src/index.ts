export { Env as appWorkerSettings } from './env.ts'
export { type RunningAppWorker, startAppWorker } from './start.ts'
export { type AppPrograms, openAppPrograms } from './open-programs.ts'
