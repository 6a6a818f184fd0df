import { createHash } from 'node:crypto'
import { keyIdPattern } from './key-ring.ts'
import { parseMasterKey } from './master-key.ts'
import { joinParts, openText, sealText, VaultError } from './sealed-text.ts'

/** True for the names of keys of a sealer, which are made of the key itself. */
export const isSealerKeyId = (id: string): boolean => /^g-[0-9a-f]{12}$/.test(id)

/** Seals short values directly under a master key of their own. */
export interface KeySealer {
  readonly key_id: string
  /** `place` is where the value is kept: it opens there alone. */
  seal(place: readonly string[], value: string): string
  open(place: readonly string[], sealed: string): string
}

/** The sealer of one master key. Its name stands before each value: `g1.<key id>.…`. */
export function createKeySealer(master_key: string | Buffer): KeySealer {
  const key = parseMasterKey(master_key)
  const key_id = `g-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`
  const aad = (place: readonly string[]) => joinParts(['gateway', ...place])
  return {
    key_id,
    seal: (place, value) => `g1.${key_id}.${sealText(key, aad(place), Buffer.from(value))}`,
    open(place, sealed) {
      const [version, id = '', ...rest] = sealed.split('.')
      if (version !== 'g1' || !keyIdPattern.test(id))
        throw new VaultError('A sealed value has an unknown format')
      if (id !== key_id)
        throw new VaultError(
          `A value is sealed with the key ${id}, which is not here; give the platform that key again`,
        )
      return openText(key, aad(place), rest.join('.')).toString()
    },
  }
}
