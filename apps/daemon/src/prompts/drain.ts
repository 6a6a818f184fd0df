import { settled } from '@svc/timing'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { daemonLimits } from '../limits.ts'
import type { Outbox } from '../platform/outbox.ts'
import { pause } from '../shared/backoff.ts'
import type { Hold } from './hold.ts'

export interface DrainParts {
  readonly hold: Hold
  readonly isBusy: () => boolean
  readonly interrupt: (why: string, withinMs: number) => Promise<void>
  readonly work: Pick<Checkpoints, 'save'>
  readonly outbox: Pick<Outbox, 'flush'>
}

/** Before the sandbox is ended: the turn gets a moment, then its reports go out and the work is saved. */
export function createDrain({ hold, isBusy, interrupt, work, outbox }: DrainParts) {
  let running = false
  return {
    get running() {
      return running
    },
    run: async (why: string, withinMs: number) => {
      const deadline = Date.now() + withinMs
      const left = (max: number) => Math.max(0, Math.min(max, deadline - Date.now()))
      hold.hold()
      running = true
      try {
        for (const until = Date.now() + left(daemonLimits.drainTurnMs); isBusy() && Date.now() < until;) {
          await pause(50)
        }
        if (isBusy()) await interrupt(why, left(daemonLimits.farewellMs))
        const saved = work.save('stop')
        const checkpoint = (await settled(left(withinMs), saved)) ? await saved : null
        await outbox.flush(left(daemonLimits.drainReportsMs))
        return { ok: true, checkpoint }
      } finally {
        running = false
      }
    },
  }
}
