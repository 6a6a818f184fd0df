import { type RunningApi, startApi } from '../../src/index.ts'
import type { TestPlatform } from './platform.ts'

export interface ServedApi extends RunningApi {
  readonly origin: string
}

/** The API on a socket of its own. */
export async function serve(platform: Pick<TestPlatform, 'parts'>): Promise<ServedApi> {
  const running = await startApi(platform.parts, { host: '127.0.0.1', port: 0, drain_ms: 1_000 })
  return { ...running, origin: `http://127.0.0.1:${running.port}` }
}
