import { createHmac, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isServed } from '../../../network/unix-sockets.ts'

/**
 * The folder of the relays of one deployment's processes, a socket each, so that sandboxes find those that live. Other
 * users of the machine may pass through the folder above, and must not guess the name of this one.
 */
export async function makeRelayFolder(above: string, key: Buffer, scope: string): Promise<string> {
  await mkdir(above, { recursive: true })
  await chmod(above, 0o711)
  const name = createHmac('sha256', key).update(`relay ${scope}`).digest('hex').slice(0, 16)
  const folder = join(above, name)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await sweep(folder)
  return folder
}

export function newRelayPath(folder: string): string {
  return join(folder, randomBytes(3).toString('hex'))
}

/** Removes the sockets of processes that are gone. */
async function sweep(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  await Promise.all(
    paths.map(async (path) => {
      if (!(await isServed(path))) await unlink(path).catch(() => undefined)
    }),
  )
}
