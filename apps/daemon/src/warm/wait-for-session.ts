import { type RuntimeName, runtimeNames } from '@svc/facts'
import { z } from 'zod'
import { type DaemonServer, openDaemonServer } from '../serving/daemon-server.ts'
import type { Log } from '../log.ts'
import { listenOf, placesOf } from '../places.ts'
import { standbys } from '../runtimes/standbys.ts'
import type { StandbyRuntime } from '../runtimes/standby/standby.ts'
import { version } from '../version.ts'
import { awaitClaim } from './await-claim.ts'
import { type EarlyFetch, startEarlyFetch } from './early-fetch.ts'
import { poolOnly } from './claimed-environment.ts'
import { startStandby } from './start-standby.ts'

const Env = z.object({
  SVC_WARM_RUNTIME: z.enum(runtimeNames).optional().catch(undefined),
  SVC_WARM_SECONDS: z.coerce.number().int().min(1).default(3600),
})

/** The parts that a sandbox has when its session comes. */
export interface Waited {
  /** It was there before its session. */
  readonly is_warm: boolean
  readonly server: DaemonServer | null
  readonly runtime: StandbyRuntime | null
  readonly fetch: EarlyFetch | null
}

export const nothingWaited: Waited = { is_warm: false, server: null, runtime: null, fetch: null }

/**
 * A sandbox of the pool: it waits for its session, whose environment is then that of this process, and ends by itself
 * when it is not claimed in time. Gives the server, and the runtime, that were started meanwhile.
 */
export async function waitForSession(key: string, log: Log): Promise<Waited> {
  const env = Env.parse(process.env)
  log.hide(key)
  const server = await openDaemonServer(listenOf(process.env), log)
  log.info('svc-agent waits for a session', { version })
  const starting = env.SVC_WARM_RUNTIME === undefined ? null : standbyFor(env.SVC_WARM_RUNTIME, log)
  const end = (): void => {
    void starting?.then((runtime) => runtime?.end()).finally(() => process.exit(0))
    if (starting === null) process.exit(0)
  }
  process.once('SIGTERM', end).once('SIGINT', end)
  const timeout = setTimeout(end, env.SVC_WARM_SECONDS * 1000)
  const claimed = await awaitClaim(process.env, key, server)
  clearTimeout(timeout)
  process.off('SIGTERM', end).off('SIGINT', end)
  for (const name of Object.keys(process.env)) if (!(name in claimed)) delete process.env[name]
  Object.assign(process.env, claimed)
  // The repository may come before anything else is done.
  const fetch = startEarlyFetch(process.env, log, server)
  return { is_warm: true, server, runtime: await starting, fetch: await fetch }
}

async function standbyFor(name: RuntimeName, log: Log): Promise<StandbyRuntime | null> {
  const standby = standbys[name]
  if (standby === undefined) return null
  const initial = Object.entries(process.env).flatMap(([variable, value]) =>
    value === undefined || poolOnly.test(variable) ? [] : [[variable, value] as const],
  )
  const { owner, workspace, home, runtime } = placesOf(process.env)
  const parts = { owner: owner ?? `waiting-${process.pid}`, workspace, home, ...runtime, prewarms: true }
  return startStandby(standby, { ...parts, env: Object.fromEntries(initial) }, log)
}
