import { keepTools, removeOldTools } from '../../shared/tools/old-tools.ts'
import type { DockerHost } from './docker-host.ts'
import { pruneImages } from './images/prune-images.ts'

const everyMs = 6 * 3_600_000
const defaultDays = 14

export interface Tidying {
  close(): Promise<void>
}

/** Removes what earlier releases and templates of other days left, at the start and from time to time. */
export function startTidying(host: DockerHost): Tidying {
  const releaseTools = keepTools(host.tools.folder)
  let running = Promise.resolve()
  const tidy = (): void => {
    running = running
      .then(async () => {
        await removeOldTools(host.tools.folder)
        await pruneImages({
          engine: host.engine,
          deployment: host.deployment,
          uses: host.image_uses,
          days: host.options.image_days ?? defaultDays,
          log: host.log,
        })
      })
      .catch((error: unknown) => host.log('warn', 'old images cannot be removed', { error: String(error) }))
  }
  tidy()
  const timer = setInterval(tidy, everyMs).unref()
  return {
    close: async () => {
      releaseTools()
      clearInterval(timer)
      await running
    },
  }
}
