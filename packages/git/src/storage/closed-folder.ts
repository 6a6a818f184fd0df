import { chmod, mkdir, stat } from 'node:fs/promises'

/**
 * Makes sure of a folder that no other user of the machine enters: repositories of all accounts lie side by side in it.
 * One that belongs to another user, such as a volume, is as closed as that user made it.
 */
export async function makeClosedFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(path)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(path, 0o700)
}
