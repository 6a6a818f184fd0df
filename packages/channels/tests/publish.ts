import { platformEvents } from '@svc/db'
import type { World } from '@svc/services/testing'
import { type ChannelWorkerContext, followInThreads } from '../src/worker/index.ts'

/** Publishes what happened in an account, and has threads follow it. */
export const publishFor =
  (world: World, account_id: string) =>
  async (by: ChannelWorkerContext): Promise<void> => {
    await by.db.transaction().execute(async (tx) => {
      const last_seq = await platformEvents.lockHead(tx, account_id)
      const now = world.clock.now()
      const events = await platformEvents.publish(tx, { account_id, last_seq, now, limit: 500 })
      await followInThreads(by, tx, events)
    })
  }
