export {
  describeSandboxProvider,
  type ProviderFixture,
  type RealSandboxes,
} from './describe-sandbox-provider.ts'
export { createStubTools, type StubTools } from './stub-tools.ts'
