import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handOver, type Owner } from './owner.ts'

/** A socket's path has to fit sockaddr_un: 108 bytes with its final NUL on Linux, 104 on macOS. */
const maxSocketPath = process.platform === 'linux' ? 107 : 103
const socketName = '/.s.PGSQL.5432.lock'

/** The folder in the data directory, or a short one named after it when that path is too long for a socket. */
export function socketDir(data_dir: string, temp = tmpdir(), uid = process.getuid?.() ?? 0): string {
  const name = `svc-${uid}-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}`
  const choices = [
    join(data_dir, 'run'),
    ...(uid === 0 ? [join('/run', name)] : []),
    join(temp, name),
    join('/tmp', name),
  ]
  return choices.find((dir) => Buffer.byteLength(dir + socketName) <= maxSocketPath) ?? join('/tmp', name)
}

/** 0700 and ours: a folder that another user put there first is refused. */
export async function makeSocketDir(dir: string, owner: Owner | undefined): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const found = await lstat(dir)
  const allowed = [process.getuid?.(), owner?.uid]
  if (!found.isDirectory() || !allowed.includes(found.uid))
    throw new Error(`${dir} belongs to another user: remove it, or choose another data directory`)
  await handOver(dir, 0o700, owner)
}
