import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { EmbeddedLog } from './log.ts'
import type { Owner } from './owner.ts'
import { reachableByOthers } from './reachable.ts'

/** Folder for the data when root starts the server and the server's user cannot reach the wanted one. */
export const openRoot = '/var/lib/svc'

/** The wanted folder, or as root one below `open_root` when the server's user could not walk to the wanted one. */
export async function makeDataDir(
  wanted: string,
  owner: Owner | undefined,
  log: EmbeddedLog,
  open_root = openRoot,
): Promise<string> {
  const data_dir = resolve(wanted)
  await make(data_dir, owner)
  if (!owner) return realpath(data_dir)
  const other = join(open_root, createHash('sha256').update(data_dir).digest('hex').slice(0, 16))
  // Data stays where it began, even when the wanted folder has been opened since.
  const begun_there = existsSync(join(other, 'cluster')) && !existsSync(join(data_dir, 'cluster'))
  if (!begun_there && (await reachableByOthers(data_dir))) return realpath(data_dir)
  log.warn(
    { wanted: data_dir, used: other },
    'PostgreSQL does not run as root and its user cannot reach the data directory: another folder is used',
  )
  await mkdir(open_root, { recursive: true })
  await chmod(open_root, 0o711)
  await make(other, owner)
  return realpath(other)
}

/** Passable for the server's user, listable by none: what lies inside is closed one by one. */
async function make(folder: string, owner: Owner | undefined): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, owner ? 0o711 : 0o700)
}
