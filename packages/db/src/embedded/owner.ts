import { chmod, chown, lchown, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** User that runs PostgreSQL: it refuses to be root, so root starts it as a numeric user that owns nothing else. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

const postgresOwner: Owner = { uid: 64001, gid: 64001 }

/** undefined: as the user of this process. */
export function serverOwner(uid = process.getuid?.()): Owner | undefined {
  return uid === 0 ? postgresOwner : undefined
}

/** initdb, unlike the server, insists on a user that has a name on this machine. */
export async function namedOwner(owner: Owner | undefined): Promise<Owner | undefined> {
  return owner && pickNamed(owner, await readFile('/etc/passwd', 'utf8'))
}

export function pickNamed(owner: Owner, passwd: string): Owner {
  const users = passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && Number(uid) > 0 && Number(gid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
  const found =
    users.find((user) => user.uid === owner.uid) ?? users.find((user) => user.name === 'nobody') ?? users[0]
  if (!found) throw new Error('PostgreSQL needs a user other than root in /etc/passwd to set up its data')
  return { uid: found.uid, gid: found.gid }
}

/** Gives a file or folder to the user that runs the server. */
export async function handOver(path: string, mode: number, owner: Owner | undefined): Promise<void> {
  await chmod(path, mode)
  if (owner) await chown(path, owner.uid, owner.gid)
}

/** The same for a folder with all it holds, whose modes stay. */
export async function handOverTree(folder: string, owner: Owner): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await handOverTree(path, owner)
    else await lchown(path, owner.uid, owner.gid)
  }
  await chown(folder, owner.uid, owner.gid)
}
