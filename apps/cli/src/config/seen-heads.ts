import { readFile } from 'node:fs/promises'
import { isObject, stringOf } from '../json-values.ts'
import { writePrivateFile } from './private-file.ts'

/** The oldest go first: a merge follows its look within days, not thousands of change requests later. */
const maxHeads = 200

export interface SeenChangeRequest {
  readonly api_url: string
  readonly cr_id: string
}

/**
 * The file beside the config file that keeps the commit at which each change request was shown last on this machine.
 */
export const seenHeadsFile = (config_file: string) => `${config_file}.seen`

const keyOf = ({ api_url, cr_id }: SeenChangeRequest) => `${api_url} ${cr_id}`

/** The commit that was shown last; null when none was, or the file cannot be read. */
export async function seenHead(config_file: string, cr: SeenChangeRequest): Promise<string | null> {
  return (await readHeads(config_file)).get(keyOf(cr)) ?? null
}

/** A machine that cannot keep it has shown the change request all the same: a merge there takes a look of its own. */
export async function rememberHead(config_file: string, cr: SeenChangeRequest, head: string): Promise<void> {
  const heads = await readHeads(config_file)
  heads.delete(keyOf(cr))
  heads.set(keyOf(cr), head)
  const kept = Object.fromEntries([...heads].slice(-maxHeads))
  const text = `${JSON.stringify({ heads: kept }, null, 2)}\n`
  await writePrivateFile(seenHeadsFile(config_file), text).catch(() => undefined)
}

async function readHeads(config_file: string): Promise<Map<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(seenHeadsFile(config_file), 'utf8'))
    const heads = isObject(value) && isObject(value['heads']) ? value['heads'] : {}
    return new Map(Object.keys(heads).map((key) => [key, stringOf(heads, key) ?? '']))
  } catch {
    return new Map()
  }
}
