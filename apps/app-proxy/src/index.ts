export { Env as appProxySettings } from './env.ts'
export type { RunningAppProxy } from './serve-visits.ts'
export { startAppProxy } from './start.ts'
