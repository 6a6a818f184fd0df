import type { JobContext } from '@svc/context'
import type { SandboxProvider } from '@svc/sandbox'
import type { HarnessInstaller } from './harnesses/installer.ts'
import type { WarmPool } from './sandboxes/warm/pool.ts'

export interface SandboxContext extends JobContext {
  readonly provider: SandboxProvider
  /** Name of the host on which it makes sandboxes. */
  readonly machine?: string | undefined
  /** True where workers of other machines make sandboxes as well, and these are reached from there. */
  readonly door?: boolean | undefined
  /** The harnesses of this worker’s machine; absent where it installs none. */
  readonly harnesses?: HarnessInstaller | undefined
  /** Absent where no sandboxes are kept waiting. */
  readonly warm_pool?: WarmPool
}
