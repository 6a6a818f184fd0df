export { lmtpHasDomain } from '@svc/channels/worker'
export { Env as channelWorkerSettings } from './env.ts'
export { type RunningChannelWorker, startChannelWorker } from './start.ts'
