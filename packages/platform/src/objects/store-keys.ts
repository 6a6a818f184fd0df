import { SettingsError } from '@svc/boot'
import type { StoreKeys } from '@svc/objects'
import type { ObjectStoreEnv } from './env.ts'

/** The keys of the bucket; undefined where the machine's own role opens it. */
export function storeKeys(env: ObjectStoreEnv): StoreKeys | undefined {
  const { SVC_OBJECT_STORE_ACCESS_KEY: access_key, SVC_OBJECT_STORE_SECRET_KEY: secret_key } = env
  if (access_key === undefined && secret_key === undefined) return undefined
  if (access_key === undefined || secret_key === undefined)
    throw new SettingsError([
      'SVC_OBJECT_STORE_ACCESS_KEY and SVC_OBJECT_STORE_SECRET_KEY are given together',
    ])
  return { access_key, secret_key }
}
