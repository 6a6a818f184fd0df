export { bootBundle, sandboxTools } from './tools.ts'
export { warmPoolEnv } from './warm-pool-env.ts'
export { warmPoolOf } from './pool-key.ts'
export { type SandboxWorker, startSandboxWorker } from './start.ts'
