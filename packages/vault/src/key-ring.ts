import { parseMasterKey } from './master-key.ts'
import { VaultError } from './sealed-text.ts'

/** The form of a key id. It stands in the text of all that the key sealed. */
export const keyIdPattern = /^[0-9A-Za-z_-]{1,64}$/

/**
 * Further master keys, as `<id>=<key>` with commas between. They open the values that they sealed and seal nothing. The
 * refusal of a wrong one names its place, never the key.
 */
export function parseMasterKeys(text: string): Readonly<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const [index, word] of text.split(',').entries()) {
    const at = word.indexOf('=')
    const [id, key] = [word.slice(0, at).trim(), word.slice(at + 1).trim()]
    const where = `Master key ${index + 1} of the list`
    if (at < 1 || !keyIdPattern.test(id))
      throw new VaultError(`${where} is not <id>=<key>; write the name of the key before the =`)
    if (Object.hasOwn(keys, id)) throw new VaultError(`${where} has an id that is there already: ${id}`)
    try {
      parseMasterKey(key)
    } catch (cause) {
      throw new VaultError(
        `${where}, ${id}, is not 32 bytes in hexadecimal or base64; make one with: openssl rand -hex 32`,
        { cause },
      )
    }
    keys[id] = key
  }
  return keys
}
