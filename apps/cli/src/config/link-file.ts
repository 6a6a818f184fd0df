import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperationError } from '../failures.ts'
import { isObject, stringOf } from '../json-values.ts'
import type { Target } from './target.ts'

/** The content of `.svc/link.json`: the project that a working directory belongs to. It carries no credential. */
export interface Link {
  readonly project_id: string
  readonly account_id: string | null
  readonly host: string | null
  readonly host_url: string | null
}

export interface FoundLink extends Link {
  readonly file: string
}

export function linkFile(directory: string): string {
  return join(directory, '.svc', 'link.json')
}

/** The link of the directory or of its nearest ancestor that has one. */
export async function findLink(directory: string): Promise<FoundLink | null> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = linkFile(folder)
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) return { ...parseLink(text, file), file }
    if (dirname(folder) === folder) return null
  }
}

export function parseLink(text: string, file: string): Link {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  const project_id = isObject(value) ? stringOf(value, 'project_id') : null
  if (!isObject(value) || project_id === null) {
    throw new OperationError(
      `${file} is not a valid link file`,
      'run `svc projects link <id>` to write it again',
    )
  }
  return {
    project_id,
    account_id: stringOf(value, 'account_id'),
    host: stringOf(value, 'host'),
    host_url: stringOf(value, 'host_url'),
  }
}

/** Links a directory to a project of a host. */
export async function writeLink(
  directory: string,
  { project_id, account_id }: Pick<Link, 'project_id' | 'account_id'>,
  { host, api_url }: Pick<Target, 'host' | 'api_url'>,
): Promise<string> {
  const file = linkFile(directory)
  const link: Link = { project_id, account_id, host, host_url: api_url }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(link, null, 2)}\n`)
  return file
}

export async function removeLink(link: FoundLink): Promise<void> {
  await rm(link.file, { force: true })
  // A folder that holds something else stays.
  await rmdir(dirname(link.file)).catch(() => undefined)
}
