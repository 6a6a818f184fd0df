import { z } from 'zod'
import { type Door, openDoor } from '../http/door.ts'
import type { Log } from '../log.ts'
import { version } from '../version.ts'
import { awaitClaim } from './await-claim.ts'

const Env = z.object({
  SVC_SERVICE_PORT: z.coerce.number().int().min(1).max(65_535).default(8000),
  SVC_SANDBOX_ADDRESS: z.string().default('0.0.0.0'),
  SVC_LISTEN_FD: z.coerce.number().int().min(3).optional(),
  SVC_WARM_SECONDS: z.coerce.number().int().min(1).default(3600),
})

/**
 * A sandbox of the pool: it waits for its session, whose environment is then that of this process, and ends by itself
 * when nobody comes for it. Gives the door that was opened meanwhile.
 */
export async function waitForSession(key: string, log: Log): Promise<Door> {
  const env = Env.parse(process.env)
  log.hide(key)
  const door = await openDoor(
    { host: env.SVC_SANDBOX_ADDRESS, port: env.SVC_SERVICE_PORT, fd: env.SVC_LISTEN_FD },
    log,
  )
  log.info('svc-agent waits for a session', { version })
  const end = (): void => process.exit(0)
  process.once('SIGTERM', end).once('SIGINT', end)
  const patience = setTimeout(end, env.SVC_WARM_SECONDS * 1000)
  const claimed = await awaitClaim(process.env, key, door)
  clearTimeout(patience)
  process.off('SIGTERM', end).off('SIGINT', end)
  for (const name of Object.keys(process.env)) if (!(name in claimed)) delete process.env[name]
  Object.assign(process.env, claimed)
  return door
}
