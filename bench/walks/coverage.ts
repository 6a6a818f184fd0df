import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Ran = ReadonlyMap<string, readonly string[]>

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Source files of this process in which a function ran since the last look; what runs at an import is none. */
export async function openCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    async take(): Promise<Ran> {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const ran = new Map<string, readonly string[]>()
      for (const { url, functions } of result) {
        const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''
        if (!/^(apps|packages)\/[^/]+\/src\//.test(file)) continue
        const names = functions
          .filter(({ ranges, functionName }) => (ranges[0]?.count ?? 0) > 0 && functionName !== '')
          .map(({ functionName }) => functionName)
        if (names.length > 0) ran.set(file, names)
      }
      return ran
    },
    close: () => session.disconnect(),
  }
}
