export {
  type SmallHarness,
  smallHarness,
  type SmallHarnessOptions,
} from '../harness/testing/small-harness.ts'
export {
  describeSandboxProvider,
  type ProviderFixture,
  type RealSandboxes,
} from './describe-sandbox-provider.ts'
export { type Ingress, newCertificate, openIngress } from './ingress.ts'
export { createStubTools, type StubTools } from './stub-tools.ts'
export { describePrograms } from './programs/describe-programs.ts'
export type { ProgramsFixture, RealPrograms } from './programs/fixture.ts'
