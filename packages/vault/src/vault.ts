import { createHmac } from 'node:crypto'
import { DataKey, newDataKey } from './data-key.ts'
import { keyIdPattern } from './key-ring.ts'
import { parseMasterKey } from './master-key.ts'
import { joinParts, openText, sealText, VaultError } from './sealed-text.ts'

export interface VaultOptions {
  /** Names the master key in the values that it seals, so that it can be replaced. */
  readonly key_id: string
  /** Further master keys by id: they open the values that they sealed and seal nothing. */
  readonly others?: Readonly<Record<string, string | Buffer>>
}

export interface Vault {
  /** The id of the master key that seals. */
  readonly key_id: string
  /** A random key for one project and its sealed form, the one that is stored. `aad_parts` is the project's id. */
  createDataKey(aad_parts: readonly string[]): { readonly data_key: DataKey; readonly sealed: string }
  sealDataKey(data_key: DataKey, aad_parts: readonly string[]): string
  openDataKey(sealed: string, aad_parts: readonly string[]): DataKey
  /** True when another master key sealed it. */
  needsRotation(sealed: string): boolean
  /** The same data key under the master key that seals now, opened again to be sure of it; store that instead. */
  rewrap(sealed: string, aad_parts: readonly string[]): string
  seal(data_key: DataKey, aad_parts: readonly string[], plaintext: string): string
  open(data_key: DataKey, aad_parts: readonly string[], sealed: string): string
  /** 32 bytes that follow from the key and the place: the same each time, and only for who has the key. */
  code(data_key: DataKey, aad_parts: readonly string[]): Buffer
}

const keyText = /^k1\.([0-9A-Za-z_-]{1,64})\.(.+)$/
const valueText = /^v1\.(.+)$/

/** A project's values are sealed with its data key, its data key with the master key; each is tied to its place. */
export function createVault(master_key: string | Buffer, { key_id, others = {} }: VaultOptions): Vault {
  if (Object.hasOwn(others, key_id))
    throw new VaultError(
      `The key id "${key_id}" is given to two master keys; a new key needs an id of its own`,
    )
  const masters = new Map(
    Object.entries({ ...others, [key_id]: master_key }).map(([id, key]) => [id, parseMasterKey(key)]),
  )
  for (const id of masters.keys())
    if (!keyIdPattern.test(id))
      throw new VaultError(`The key id "${id}" is not a simple name; use letters, digits, - and _`)
  const master = (id: string): Buffer => {
    const key = masters.get(id)
    if (!key)
      throw new VaultError(
        `The master key "${id}" that sealed a data key is not configured; give the platform that key again`,
      )
    return key
  }

  const sealDataKey = (data_key: DataKey, aad_parts: readonly string[]): string =>
    `k1.${key_id}.${sealText(master(key_id), joinParts(['data-key', key_id, ...aad_parts]), DataKey.bytesOf(data_key))}`

  const openDataKey: Vault['openDataKey'] = (sealed, aad_parts) => {
    const { id, text } = splitKey(sealed)
    return new DataKey(openText(master(id), joinParts(['data-key', id, ...aad_parts]), text))
  }

  return {
    key_id,
    createDataKey(aad_parts) {
      const data_key = newDataKey()
      return { data_key, sealed: sealDataKey(data_key, aad_parts) }
    },
    sealDataKey,
    openDataKey,
    rewrap(sealed, aad_parts) {
      const data_key = openDataKey(sealed, aad_parts)
      const again = sealDataKey(data_key, aad_parts)
      if (!DataKey.areSame(openDataKey(again, aad_parts), data_key))
        throw new VaultError('A data key that was sealed again does not open')
      return again
    },
    needsRotation: (sealed) => splitKey(sealed).id !== key_id,
    seal: (data_key, aad_parts, plaintext) =>
      `v1.${sealText(DataKey.bytesOf(data_key), joinParts(['value', ...aad_parts]), Buffer.from(plaintext))}`,
    open(data_key, aad_parts, sealed) {
      const text = valueText.exec(sealed)?.[1]
      if (!text) throw new VaultError('A sealed value has an unknown format')
      return openText(DataKey.bytesOf(data_key), joinParts(['value', ...aad_parts]), text).toString()
    },
    code: (data_key, aad_parts) =>
      createHmac('sha256', DataKey.bytesOf(data_key))
        .update(joinParts(['code', ...aad_parts]))
        .digest(),
  }
}

function splitKey(sealed: string): { id: string; text: string } {
  const [, id, text] = keyText.exec(sealed) ?? []
  if (!id || !text) throw new VaultError('A sealed data key has an unknown format')
  return { id, text }
}
