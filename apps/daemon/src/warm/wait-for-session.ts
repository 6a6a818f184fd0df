import { resolve } from 'node:path'
import { z } from 'zod'
import { type Door, openDoor } from '../http/door.ts'
import type { Log } from '../log.ts'
import { type RuntimeName, runtimeNames } from '../manifest/runtime-settings.ts'
import type { WaitingRuntime } from '../runtimes/waiting.ts'
import { version } from '../version.ts'
import { awaitClaim } from './await-claim.ts'
import { poolOnly } from './claimed-environment.ts'
import { startWaitingRuntime } from './waiting-runtime.ts'

const Env = z.object({
  SVC_SERVICE_PORT: z.coerce.number().int().min(1).max(65_535).default(8000),
  SVC_SANDBOX_ADDRESS: z.string().default('0.0.0.0'),
  SVC_LISTEN_FD: z.coerce.number().int().min(3).optional(),
  SVC_RUNTIME_PORT: z.coerce.number().int().min(1).max(65_535).default(4096),
  SVC_SANDBOX_ID: z.string().optional(),
  SVC_WORKSPACE: z.string().min(1).default('/workspace'),
  HOME: z.string().min(1).default('/opt/svc/home'),
  SVC_WARM_RUNTIME: z.enum(runtimeNames).optional().catch(undefined),
  SVC_WARM_SECONDS: z.coerce.number().int().min(1).default(3600),
})

/** What a sandbox has when its session comes. */
export interface Waited {
  readonly door: Door | null
  readonly runtime: WaitingRuntime | null
}

/**
 * A sandbox of the pool: it waits for its session, whose environment is then that of this process, and ends by itself
 * when nobody comes for it. Gives the door, and the runtime, that were opened meanwhile.
 */
export async function waitForSession(key: string, log: Log): Promise<Waited> {
  const env = Env.parse(process.env)
  log.hide(key)
  const door = await openDoor(
    { host: env.SVC_SANDBOX_ADDRESS, port: env.SVC_SERVICE_PORT, fd: env.SVC_LISTEN_FD },
    log,
  )
  log.info('svc-agent waits for a session', { version })
  const starting = env.SVC_WARM_RUNTIME === undefined ? null : waitingRuntime(env, env.SVC_WARM_RUNTIME, log)
  const end = (): void => {
    void starting?.then((runtime) => runtime?.end()).finally(() => process.exit(0))
    if (starting === null) process.exit(0)
  }
  process.once('SIGTERM', end).once('SIGINT', end)
  const patience = setTimeout(end, env.SVC_WARM_SECONDS * 1000)
  const claimed = await awaitClaim(process.env, key, door)
  clearTimeout(patience)
  process.off('SIGTERM', end).off('SIGINT', end)
  for (const name of Object.keys(process.env)) if (!(name in claimed)) delete process.env[name]
  Object.assign(process.env, claimed)
  return { door, runtime: await starting }
}

function waitingRuntime(env: z.infer<typeof Env>, name: RuntimeName, log: Log) {
  const born = Object.entries(process.env).flatMap(([variable, value]) =>
    value === undefined || poolOnly.test(variable) ? [] : [[variable, value] as const],
  )
  const parts = {
    owner: env.SVC_SANDBOX_ID ?? `waiting-${process.pid}`,
    workspace: resolve(env.SVC_WORKSPACE),
    home: resolve(env.HOME),
    host: env.SVC_SANDBOX_ADDRESS === '0.0.0.0' ? '127.0.0.1' : env.SVC_SANDBOX_ADDRESS,
    port: env.SVC_RUNTIME_PORT,
    env: Object.fromEntries(born),
  }
  return startWaitingRuntime(name, parts, log)
}
