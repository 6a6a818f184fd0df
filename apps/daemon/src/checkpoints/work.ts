import type { CheckpointReason, Checkpoints } from './checkpoints.ts'
import { deferred } from '../shared/deferred.ts'
import type { Repository } from '../repository/repository.ts'

/** The files that the agent works on: when they are there, and how they are saved. */
export function createWork(parts: {
  readonly repository: Repository
  readonly checkpoints: Pick<Checkpoints, 'save'>
  /** Called before any other part hears that the repository is whole. */
  readonly onWhole: () => Promise<void>
}) {
  const { repository, checkpoints, onWhole } = parts
  const whole = deferred<void>()
  let state: 'coming' | 'whole' | 'missing' = 'coming'

  async function look(isThere: boolean): Promise<void> {
    if (!isThere) {
      state = 'missing'
      return
    }
    await onWhole()
    state = 'whole'
    whole.resolve()
  }

  return {
    settings: repository.settings,
    /** Resolves once every file is there. */
    whole: whole.promise,
    /** True when the repository cannot be had. */
    get missing() {
      return state === 'missing'
    },
    /** The reason that there is nothing to work on; null when there is. */
    open: async (): Promise<string | null> => {
      const opened = await repository.open()
      await look(opened)
      return opened ? null : ((await repository.health()).error ?? 'The repository cannot be cloned')
    },
    refresh: async () => {
      const outcome = await repository.refresh()
      const repo = await repository.health()
      await look(repo.state === 'ready')
      return { ok: repo.state === 'ready', ...outcome, repo }
    },
    /** Saves a whole repository only: files that are still on their way look like ones that the agent has deleted. */
    save: async (reason: CheckpointReason): Promise<number | null> =>
      state === 'whole' ? checkpoints.save(reason) : null,
  }
}

export type Work = ReturnType<typeof createWork>
