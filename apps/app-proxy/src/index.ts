export { Env as appProxySettings } from './env.ts'
export { type RunningAppProxy, startAppProxy } from './start.ts'
