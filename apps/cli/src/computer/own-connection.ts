import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client, Connection } from '@svc/sdk'
import { writePrivateFile } from '../config/private-file.ts'
import { isObject, stringOf } from '../json-values.ts'

export interface ComputerOf {
  readonly api_url: string
  readonly project_id: string
  readonly slug: string
  readonly name: string
  /** `computers` beside the config file. */
  readonly folder: string
}

export const computersFolder = (config_file: string): string => join(dirname(config_file), 'computers')

/** The connection that this computer served before under this name, or a new one. */
export async function ownConnection(client: Client, computer: ComputerOf): Promise<Connection> {
  const { project_id, slug, name, folder } = computer
  const { connections } = client.projects.connectors
  const file = join(folder, 'connections.json')
  const key = [computer.api_url, project_id, slug, name].join(' ')
  const known = await readKnown(file)
  const before = known.get(key)
  if (before !== undefined) {
    const all = await connections.list(project_id, slug)
    const found = all.find(({ connection_id, kind }) => connection_id === before && kind === 'computer')
    if (found !== undefined) return found
  }
  const made = await connections.create(project_id, slug, { label: name, credential: {} })
  known.set(key, made.connection_id)
  await writePrivateFile(file, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`)
  return made
}

async function readKnown(file: string): Promise<Map<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isObject(value)) return new Map()
    return new Map(Object.keys(value).map((key) => [key, stringOf(value, key) ?? '']))
  } catch {
    return new Map()
  }
}
