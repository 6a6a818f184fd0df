import type { RuntimeClient } from './runtime.ts'

/** Where a rehearsal plays: a project, and a model that is ours. */
export interface Stage {
  /** A folder of its own, in which everything else lies. */
  readonly folder: string
  readonly workspace: string
  readonly config_dir: string
  readonly model_url: string
}

/** What a runtime needs to know to play on a stage. */
export interface Rehearsal {
  readonly env: Readonly<Record<string, string>>
  /** Speaks with the process once it has this environment. */
  readonly client: RuntimeClient
  /** Makes it forget what it has learnt there, but for what is of use to every session. */
  forget(session_id: string | null): Promise<void>
}

/** Provider, model and agent of every rehearsal; no session has them. */
export const rehearsed = { provider: 'svc-rehearsal', model: 'svc-rehearsal', agent: 'svc-rehearsal' }
