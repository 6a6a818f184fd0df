import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Metrics } from '@svc/boot'
import { meterObjectStore, type ObjectStore, openObjectStore } from '@svc/objects'
import type { ObjectStoreEnv } from './env.ts'
import { storeKeys } from './store-keys.ts'

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
