export { bootBundle, sandboxTools } from './tools.ts'
export { type SandboxWorker, startSandboxWorker } from './start.ts'
