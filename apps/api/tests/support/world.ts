import { afterAll } from 'vitest'
import type { ApiParts } from '../../src/index.ts'
import { type Answer, type TestPlatform, testPlatform } from './platform.ts'
import { type ServedApi, serve } from './serve.ts'

/** The API over a database of its own, on a socket, for one test file; both end with the file. */
export interface World {
  readonly platform: TestPlatform
  readonly api: ServedApi
  /** The owner of the first account, and a token of theirs. */
  readonly token: string
  readonly account_id: string
  /** Asks as the owner. */
  ask(method: string, path: string, json?: unknown): Promise<Answer>
  /** A managed project of the owner; its id. */
  newProject(name?: string): Promise<string>
}

export async function openWorld(changes: Partial<ApiParts> = {}): Promise<World> {
  const platform = await testPlatform(changes)
  afterAll(() => platform.close())
  const api = await serve(platform)
  afterAll(() => api.close())
  const { token, account_id } = platform.owner
  const ask = (method: string, path: string, json?: unknown) =>
    platform.call(path, { method, token, ...(json === undefined ? {} : { json }) })
  return {
    platform,
    api,
    token,
    account_id,
    ask,
    newProject: async (name = 'x') =>
      (await ask('POST', '/v1/projects/provision', { name })).pick('project_id'),
  }
}
