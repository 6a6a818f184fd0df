import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, with this mode whatever the umask. Node's own recursive mkdir
 * never returns where a file system takes no folders, such as /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path), mode)
    await mkdir(path)
  }
  await chmod(path, mode)
}

/** Takes the bits that `mode` lacks from a folder of this process's user; others' folders are theirs to open. */
export async function tightenFolder(path: string, mode: number): Promise<void> {
  const found = await stat(path)
  if (found.uid !== process.getuid?.()) return
  const tight = found.mode & mode & 0o777
  if (tight !== (found.mode & 0o777)) await chmod(path, tight)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
