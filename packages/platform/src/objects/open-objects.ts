import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Metrics, SettingsError } from '@svc/boot'
import { meterObjectStore, type ObjectStore, openObjectStore, type StoreKeys } from '@svc/objects'
import type { ObjectStoreEnv } from './env.ts'

/** The store that the variables name; beside the managed repositories, which all services see, when they name none. */
export async function openObjects(
  env: ObjectStoreEnv & { readonly SVC_REPOSITORIES_DIR: string },
  metrics: Metrics,
): Promise<ObjectStore> {
  const store = await openObjectStore(objectStoreUrl(env), storeKeys(env))
  return meterObjectStore(store, (labels, seconds) =>
    metrics.observe('svc_object_store_request_duration_seconds', labels, seconds),
  )
}

export const objectStoreUrl = (
  env: Pick<ObjectStoreEnv, 'SVC_OBJECT_STORE'> & { readonly SVC_REPOSITORIES_DIR: string },
): string => env.SVC_OBJECT_STORE ?? pathToFileURL(join(env.SVC_REPOSITORIES_DIR, 'objects')).href

export function storeKeys(env: ObjectStoreEnv): StoreKeys | undefined {
  const { SVC_OBJECT_STORE_ACCESS_KEY: access_key, SVC_OBJECT_STORE_SECRET_KEY: secret_key } = env
  if (access_key === undefined && secret_key === undefined) return undefined
  if (access_key === undefined || secret_key === undefined)
    throw new SettingsError([
      'SVC_OBJECT_STORE_ACCESS_KEY and SVC_OBJECT_STORE_SECRET_KEY are given together',
    ])
  return { access_key, secret_key }
}
