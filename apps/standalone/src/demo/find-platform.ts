import { createLifecycle, createLogger } from '@svc/boot'
import { createClient } from '@svc/sdk'
import { type BootstrapFile, readBootstrap } from '@svc/services'
import type { StandaloneEnv } from '../env.ts'
import { startPlatform } from '../platform.ts'
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
    narrate.step(`Using the platform at ${new URL(known.api_url).origin}`)
    return { bootstrap: known, close: () => Promise.resolve() }
  }
  narrate.step('Starting a platform for this demo')
  const log = createLogger({ name: 'svc', level: env.SVC_LOG_LEVEL, pretty: true })
  let closed: (code: number) => void = () => {}
  const lifecycle = createLifecycle(log, {
    host: {
      on: (event, listener) => process.on(event, listener),
      exit: (code) => closed(code),
    },
  })
  let bootstrap: BootstrapFile | undefined
  let failure: unknown
  const ended = new Promise<number>((resolve) => {
    closed = resolve
  })
  await lifecycle.run(async () => {
    try {
      const running = await startPlatform(env, app_dir, log, lifecycle)
      narrate.detail(`${running.why}\nModel: ${running.model}`)
      bootstrap = running.bootstrap
    } catch (error) {
      failure = error
      throw error
    }
  })
  if (!bootstrap) throw failure
  return {
    bootstrap,
    close: async () => {
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
