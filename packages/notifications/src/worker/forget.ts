import { notifications } from '@svc/db'
import type { NotificationWorkerContext } from './context.ts'

const batch = 1000

/** Removes notifications that are kept no more; how many. */
export async function forgetNotifications(ctx: NotificationWorkerContext): Promise<number> {
  const now = ctx.now()
  const before = new Date(now.getTime() - 86_400_000 * ctx.notification_settings.keep_days)
  let count = 0
  for (;;) {
    const removed = await notifications.forget(ctx.db, before, now, batch)
    count += removed
    if (removed < batch || ctx.signal.aborted) return count
  }
}
