import { createLogger } from '@svc/boot'
import { openPlatform } from '@svc/platform'
import { startTriggerScheduler } from '@svc/services'
import { platformSettings } from './settings.ts'

/** A scheduler as a process of its own, whose clock may be wrong. Ends on SIGTERM as the deployable does. */
const [connection_string = '', skew_ms = '0', folder = ''] = process.argv.slice(2)
const log = createLogger({ name: 'scheduler', level: 'error' })
const platform = await openPlatform(platformSettings(connection_string, folder), log)
const now = () => new Date(Date.now() + Number(skew_ms))
const scheduler = startTriggerScheduler(
  { ...platform.ctx, now, enqueue: async () => undefined },
  { interval_ms: 500, catch_up_ms: 3_600_000 },
)
process.once('SIGTERM', () => {
  void scheduler
    .close()
    .then(() => platform.close())
    .then(() => process.exit(0))
})
// A test that reads this may end the process at once.
process.stdout.write('ready\n')
