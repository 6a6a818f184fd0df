import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gatewayKeyFile, masterKeyFile, openPlace, readPart, splitBackup } from '@svc/backup'
import { createFile } from '@svc/files'
import { storeKeys } from '@svc/platform/env'
import { nameMasterKeys, parseMasterKey, readMasterKey } from '@svc/vault'
import type { DataDir } from '../data-dir.ts'
import type { StandaloneEnv } from '../env.ts'
import { settingsOfKeys } from '../master-key.ts'
import type { DataKeys } from './data-env.ts'

export interface KeysOfRestore extends DataKeys {
  /** Puts those that came with the backup, or were given, into the data directory. */
  keep(): Promise<void>
}

export interface GivenKeys {
  readonly from: string
  readonly master_key_file?: string | undefined
  readonly gateway_key_file?: string | undefined
}

/** Of each key the first that there is: the one that was given, that of the data directory, and that in the backup. */
export async function keysOfRestore(
  env: StandaloneEnv,
  data: Pick<DataDir, 'master_key' | 'gateway_key'>,
  { from, master_key_file, gateway_key_file }: GivenKeys,
): Promise<KeysOfRestore> {
  const { place, name } = splitBackup(from)
  const store = await openPlace(place, storeKeys(env))
  try {
    const part = (file: string) => readPart(store, name, file)
    const master = await choose(data.master_key, master_key_file, () => part(masterKeyFile))
    const gateway = await choose(data.gateway_key, gateway_key_file, () => part(gatewayKeyFile))
    return {
      master: settingsOfKeys(nameMasterKeys(master.key, readMasterKey(`${data.master_key}.old`))),
      gateway: gateway.key.toString('hex'),
      async keep() {
        for (const { key, path, is_new } of [master, gateway])
          if (is_new) await createFile(path, `${key.toString('hex')}\n`)
      },
    }
  } finally {
    store.close()
  }
}

async function choose(path: string, given: string | undefined, part: () => Promise<Buffer | null>) {
  const own = readMasterKey(path)
  if (given !== undefined) {
    const key = parseMasterKey(await readFile(given, 'utf8'))
    if (own !== undefined && !own.equals(key))
      throw new Error(`${path} is another key than ${given}. Restore into a new folder.`)
    return { path, key, is_new: own === undefined }
  }
  if (own !== undefined) return { path, key: own, is_new: false }
  const kept = await part()
  if (kept !== null) return { path, key: parseMasterKey(kept.toString('utf8')), is_new: true }
  // A key that opens nothing: a backup that needs its own is refused by name, and one that goes without is sealed with this.
  return { path, key: randomBytes(32), is_new: true }
}
