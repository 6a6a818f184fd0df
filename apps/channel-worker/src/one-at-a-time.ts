import type { Logger } from '@svc/boot'

export interface Asked {
  /** Begins the work for `key`, or once more after the work that runs for it. */
  ask(key: string): void
  /** Resolves when no work runs. */
  settled(): Promise<void>
}

/** Work by key, for each key one at a time: however often it is asked for meanwhile, it runs once more. */
export function oneAtATime(work: (key: string) => Promise<unknown>, log: Logger): Asked {
  const running = new Map<string, { again: boolean; done: Promise<void> }>()
  const run = async (key: string, state: { again: boolean }): Promise<void> => {
    do {
      state.again = false
      // A sweep finds what is left undone.
      await work(key).catch((err: unknown) => log.warn({ err, key }, 'work that was asked for failed'))
    } while (state.again)
    running.delete(key)
  }
  return {
    ask(key) {
      const state = running.get(key)
      if (state) {
        state.again = true
        return
      }
      const begun = { again: false, done: Promise.resolve() }
      running.set(key, begun)
      begun.done = run(key, begun)
    },
    settled: async () => {
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}
