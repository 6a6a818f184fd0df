export { bootBundle, sandboxTools } from './tools.ts'
export { sandboxEnv } from './sandbox-env.ts'
export { warmPoolOf } from './pool-key.ts'
export { type SandboxWorker, startSandboxWorker } from './start.ts'
