import type { Logger, Metrics } from '@svc/boot'
import { createRepositories, type Repositories } from '@svc/git'
import type { ObjectStore } from '@svc/objects'
import type { Vault } from '@svc/vault'
import type { PlatformEnv } from './env.ts'
import { openVault } from './master-key/env.ts'
import { openObjects } from './objects/open-objects.ts'

/** All that a deployment keeps beside its rows, and the keys of what is sealed in them. */
export interface Storage {
  readonly repositories: Repositories
  readonly objects: ObjectStore
  readonly vault: Vault
  close(): Promise<void>
}

/** Needs no database. */
export async function openStorage(env: PlatformEnv, log: Logger, metrics: Metrics): Promise<Storage> {
  const vault = openVault(env)
  const repositories = await createRepositories({
    root: env.SVC_REPOSITORIES_DIR,
    cache_root: env.SVC_MIRRORS_DIR,
    store: env.SVC_REPOSITORY_STORE,
    identity: identity(env.SVC_GIT_AUTHOR),
    signing_key_file: env.SVC_GIT_SIGNING_KEY_FILE,
    cache_max_bytes: bytes(env.SVC_MIRRORS_BUDGET_MB),
    clones_max_bytes: bytes(env.SVC_CLONES_BUDGET_MB),
    allow: {
      http: env.SVC_ALLOW_HTTP_REPOSITORIES,
      file: env.SVC_ALLOW_FILE_REPOSITORIES,
      ssh: env.SVC_ALLOW_SSH_REPOSITORIES,
      private_addresses: env.SVC_ALLOW_PRIVATE_ADDRESSES,
    },
    logger: log,
  })
  try {
    const objects = await openObjects(env, metrics)
    const close = async () => {
      objects.close()
      await repositories.close()
    }
    return { repositories, objects, vault, close }
  } catch (error) {
    await repositories.close()
    throw error
  }
}

function identity(author: string): { name: string; email: string } {
  const [, name = 'svc', email = 'noreply@svc.invalid'] = /^(.+) <(.+)>$/.exec(author) ?? []
  return { name, email }
}

const bytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined ? undefined : megabytes * 2 ** 20
