import { DataKey, newDataKey } from './data-key.ts'
import { parseMasterKey } from './master-key.ts'
import { joinParts, openText, sealText, VaultError } from './sealed-text.ts'

export interface VaultOptions {
  /** Names the master key in what it seals, so that it can be replaced. */
  readonly key_id: string
  /** Earlier master keys by id: they open what they sealed and seal nothing more. */
  readonly earlier?: Readonly<Record<string, string | Buffer>>
}

export interface Vault {
  /** A random key for one project and its sealed form, which is what is stored. `aad_parts` is the project's id. */
  createDataKey(aad_parts: readonly string[]): { readonly data_key: DataKey; readonly sealed: string }
  sealDataKey(data_key: DataKey, aad_parts: readonly string[]): string
  openDataKey(sealed: string, aad_parts: readonly string[]): DataKey
  /** Whether an earlier master key sealed it: open it, seal it again and store that. */
  needsRotation(sealed: string): boolean
  seal(data_key: DataKey, aad_parts: readonly string[], plaintext: string): string
  open(data_key: DataKey, aad_parts: readonly string[], sealed: string): string
}

const keyText = /^k1\.([0-9A-Za-z_-]{1,64})\.(.+)$/
const valueText = /^v1\.(.+)$/

/** A project's values are sealed with its data key, its data key with the master key; each is tied to its place. */
export function createVault(master_key: string | Buffer, { key_id, earlier = {} }: VaultOptions): Vault {
  const masters = new Map(
    Object.entries({ ...earlier, [key_id]: master_key }).map(([id, key]) => [id, parseMasterKey(key)]),
  )
  for (const id of masters.keys())
    if (!/^[0-9A-Za-z_-]{1,64}$/.test(id)) throw new VaultError(`The key id "${id}" is not a simple name`)
  const master = (id: string): Buffer => {
    const key = masters.get(id)
    if (!key) throw new VaultError(`The master key "${id}" that sealed a data key is not configured`)
    return key
  }

  const sealDataKey = (data_key: DataKey, aad_parts: readonly string[]): string =>
    `k1.${key_id}.${sealText(master(key_id), joinParts(['data-key', key_id, ...aad_parts]), DataKey.bytesOf(data_key))}`

  return {
    createDataKey(aad_parts) {
      const data_key = newDataKey()
      return { data_key, sealed: sealDataKey(data_key, aad_parts) }
    },
    sealDataKey,
    openDataKey(sealed, aad_parts) {
      const { id, text } = splitKey(sealed)
      return new DataKey(openText(master(id), joinParts(['data-key', id, ...aad_parts]), text))
    },
    needsRotation: (sealed) => splitKey(sealed).id !== key_id,
    seal: (data_key, aad_parts, plaintext) =>
      `v1.${sealText(DataKey.bytesOf(data_key), joinParts(['value', ...aad_parts]), Buffer.from(plaintext))}`,
    open(data_key, aad_parts, sealed) {
      const text = valueText.exec(sealed)?.[1]
      if (!text) throw new VaultError('A sealed value has an unknown format')
      return openText(DataKey.bytesOf(data_key), joinParts(['value', ...aad_parts]), text).toString()
    },
  }
}

function splitKey(sealed: string): { id: string; text: string } {
  const [, id, text] = keyText.exec(sealed) ?? []
  if (!id || !text) throw new VaultError('A sealed data key has an unknown format')
  return { id, text }
}
