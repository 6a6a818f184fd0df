import { createHmac } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeUnserved } from '../../../network/unix-sockets.ts'

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
  await removeUnserved(folder)
  return folder
}
