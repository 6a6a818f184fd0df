import type { RuntimeClient } from '../runtime.ts'

/** A made-up project, and a model that is ours. */
export interface PrewarmFixture {
  /** A folder of its own, in which everything else lies. */
  readonly folder: string
  readonly workspace: string
  readonly config_dir: string
  readonly model_url: string
}

/** A process that takes the fixture for its session's project. */
export interface PrewarmTarget {
  readonly env: Readonly<Record<string, string>>
  /** Speaks with the process once it has this environment. */
  readonly client: RuntimeClient
  /** Makes the process forget all that it has learnt there, except what is of use to every session. */
  forget(session_id: string | null): Promise<void>
}

/** Provider, model and agent of every prewarming; no session has them. */
export const prewarmNames = { provider: 'svc-prewarm', model: 'svc-prewarm', agent: 'svc-prewarm' }
