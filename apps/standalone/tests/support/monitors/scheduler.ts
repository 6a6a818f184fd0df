import { createLogger } from '@svc/boot'
import { openPlatform, platformEnv } from '@svc/platform'
import { startMonitorSupervisor } from '@svc/services'
import { z } from 'zod'

/** A scheduler's monitors as a process of its own, whose seconds are short. Ends on SIGTERM as the deployable does. */
const [settings = '{}', second_ms = '1000'] = process.argv.slice(2)
const log = createLogger({ name: 'scheduler', level: 'error' })
const platform = await openPlatform(z.object(platformEnv).parse(JSON.parse(settings)), log)
const supervisor = startMonitorSupervisor(platform.ctx, {
  second_ms: Number(second_ms),
  wait_ms: 500,
  ttl_ms: 1_500,
})
process.stdout.write('ready\n')
process.once('SIGTERM', () => {
  void supervisor
    .close()
    .then(() => platform.close())
    .then(() => process.exit(0))
})
