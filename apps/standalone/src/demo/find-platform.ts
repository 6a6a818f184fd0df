import { createLifecycle, createLogger } from '@svc/boot'
import { type BootstrapFile, readBootstrap } from '@svc/identity'
import { createClient } from '@svc/sdk'
import type { StandaloneEnv } from '../env.ts'
import { startPlatform } from '../platform.ts'
import { endWithNpm } from '../end-with-npm.ts'
import { narrate } from './narrate.ts'
import { join } from 'node:path'

export interface DemoPlatform {
  readonly bootstrap: BootstrapFile
  close(): Promise<void>
}

/** The platform that already runs here, or one of our own that ends with the demo. */
export async function findPlatform(env: StandaloneEnv, app_dir: string): Promise<DemoPlatform> {
  const known = await readBootstrap(join(env.SVC_DATA_DIR, 'bootstrap.json'))
  if (known !== null && (await answers(known))) {
    endWithNpm(() => process.exit(1))
    narrate.step(`Using the platform at ${new URL(known.api_url).origin}`)
    return { bootstrap: known, close: () => Promise.resolve() }
  }
  narrate.step('Starting a platform for this demo')
  const log = createLogger({ name: 'svc', level: env.SVC_LOG_LEVEL, pretty: true })
  let closed: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    closed = resolve
  })
  let bootstrap: BootstrapFile | undefined
  let failure: unknown
  let isExpected = false
  const lifecycle = createLifecycle(log, {
    on_failed_start: (error) => {
      failure = error
      isExpected = true
    },
    host: {
      on: (event, listener) => process.on(event, listener),
      // A platform that ends without the demo's word takes the demo with it, which has not done its work.
      exit: (code) => (isExpected ? closed() : process.exit(code || 1)),
    },
  })
  endWithNpm(() => void lifecycle.stop('npm has ended', 1))
  await lifecycle.run(async (stopping) => {
    const running = await startPlatform(env, app_dir, log, lifecycle, stopping)
    narrate.detail(`${running.why}\nModel: ${running.model}`)
    bootstrap = running.bootstrap
  })
  if (!bootstrap) throw failure
  return {
    bootstrap,
    close: async () => {
      isExpected = true
      await lifecycle.stop('the demo has ended')
      await ended
    },
  }
}

async function answers({ api_url, token }: BootstrapFile): Promise<boolean> {
  try {
    await createClient({ api_url, token }).me()
    return true
  } catch {
    return false
  }
}
