import { startDaemon } from './daemon.ts'
import { readEnv } from './env.ts'
import { daemonLimits } from './limits.ts'
import type { Log } from './log.ts'
import { useProxy } from './network/use-proxy.ts'
import { type RuntimeRegistry, runtimes } from './runtimes/registry.ts'
import { step } from './shared/steps.ts'
import { nothingWaited, type Waited, waitForSession } from './warm/wait-for-session.ts'

/** Runs until a signal, or until the platform stays away too long. `early`: what was started while this was loaded. */
export async function runDaemon(
  log: Log,
  early: Pick<Waited, 'runtime' | 'fetch'>,
  registry: RuntimeRegistry = runtimes,
): Promise<void> {
  step('loaded')
  const key = process.env['SVC_WARM_KEY']
  const waited = key === undefined ? { ...nothingWaited, ...early } : await waitForSession(key, log)
  step('configured')
  const env = readEnv(process.env)
  await useProxy([env.api_url, env.llm?.base_url ?? env.api_url], process.env, env.runtime.host)
  let stopping = false
  const stop = (why: string, code: number): void => {
    if (stopping) return
    stopping = true
    log.info('svc-agent stops', { why })
    setTimeout(() => process.exit(code), daemonLimits.stopMs)
    daemon.close().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error('stopping failed', { error })
        process.exit(code)
      },
    )
  }
  const daemon = await startDaemon(env, log, () => stop('the platform stayed away', 1), waited, registry)
  process.on('SIGTERM', () => stop('SIGTERM', 0))
  process.on('SIGINT', () => stop('SIGINT', 0))
  process.on('uncaughtException', (error) => {
    log.error('a defect', { error, stack: error.stack })
    stop('a defect', 1)
  })
}
