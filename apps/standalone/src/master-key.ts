import { existsSync } from 'node:fs'
import { sealedPlaces } from '@svc/api'
import type { Logger } from '@svc/boot'
import { type Platform, rewrapDataKeys } from '@svc/platform'
import { loadMasterKeys, type MasterKeys } from '@svc/vault'
import { StartError } from './start-error.ts'

/** The keys of the data folder, as the settings of a deployment name them. */
export function masterKeySettings(path: string) {
  return settingsOfKeys(loadMasterKeys(path))
}

export function settingsOfKeys({ key, key_id, others }: MasterKeys) {
  return {
    SVC_MASTER_KEY: key.toString('hex'),
    SVC_MASTER_KEY_ID: key_id,
    SVC_OTHER_MASTER_KEYS: Object.fromEntries(
      Object.entries(others).map(([id, other]) => [id, other.toString('hex')]),
    ),
  }
}

/** The key of the model gateway, made at the first start. */
export function gatewayKeySettings(path: string) {
  return { SVC_GATEWAY_MASTER_KEY: loadMasterKeys(path).key.toString('hex') }
}

/**
 * Once an earlier key was moved aside, the values that it sealed are sealed with the new one before anything is served.
 */
export async function replaceMasterKey(
  path: string,
  { ctx }: { readonly ctx: Pick<Platform['ctx'], 'db' | 'vault'> },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (!existsSync(`${path}.old`)) return
  const { rewrapped, unopenable } = await rewrapDataKeys({ ...ctx, places: sealedPlaces })
  const [stuck] = unopenable
  if (stuck)
    throw new StartError(
      `${path}: ${unopenable.length} stored keys open neither with it nor with ${path}.old, such as the one of ${stuck.table} ${stuck.id}. Put the key back that sealed them.`,
    )
  log.warn({ rewrapped }, `Everything is sealed with ${path}; nothing needs ${path}.old any more`)
}
