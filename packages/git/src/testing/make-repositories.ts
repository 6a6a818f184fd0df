import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepositories, type Repositories, type RepositoriesOptions } from '../repositories.ts'

export interface TestRepositories {
  readonly repositories: Repositories
  readonly root: string
  readonly cache_root: string
  /** Ends every git process and removes the storage. */
  remove(): Promise<void>
}

/** Storage in a temporary folder that may reach everything on this machine. */
export async function makeRepositories(
  options: Partial<RepositoriesOptions> = {},
): Promise<TestRepositories> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-repositories-'))
  const root = join(folder, 'managed')
  const cache_root = join(folder, 'cache')
  const repositories = await createRepositories({
    root,
    cache_root,
    identity: { name: 'svc', email: 'noreply@svc.invalid' },
    allow: { http: true, file: true, ssh: true, private_addresses: true },
    ...options,
  })
  const remove = async () => {
    await repositories.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { repositories, root, cache_root, remove }
}
