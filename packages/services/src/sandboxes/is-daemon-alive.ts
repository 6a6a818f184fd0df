import type { SandboxEndpoint } from '@svc/sandbox'
import { askDaemon } from './daemon-client.ts'

const looks = 3
const lookMs = 4_000

/** True when a daemon still answers anything; a slow one is asked again. */
export async function isDaemonAlive(endpoint: SandboxEndpoint): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    try {
      await askDaemon(endpoint, { method: 'GET', path: '/svc/health', timeout_ms: lookMs })
      return true
    } catch {
      continue
    }
  }
  return false
}
