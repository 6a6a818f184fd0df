import { freePort } from '../../../scripts/free-port.ts'
import { standbyWord } from '../src/runtimes/standby/standby-words.ts'
import { recordCache } from './record-cache.ts'

const host = '127.0.0.1'

/** The daemon until it waits for its session, as one of the pool does. */
export async function makeDaemonCache(folder: string): Promise<void> {
  const port = await freePort()
  await recordCache(
    folder,
    (home) => ({
      SVC_WARM_KEY: 'code-cache',
      SVC_WORKSPACE: home,
      SVC_SANDBOX_ADDRESS: host,
      SVC_SERVICE_PORT: String(port),
    }),
    async (daemon) => void (await daemon.said('waits for a session')),
  )
}

/** A runtime's program until it waits for its environment. */
export async function makeRuntimeCache(
  standby_env: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  await recordCache(
    folder,
    () => ({ ...standby_env }),
    async (program) => void (await program.said(standbyWord)),
  )
}
