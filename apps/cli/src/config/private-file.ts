import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces the file in one step, readable by its owner only. A linked file stays a link. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  // Loaded here: most commands only read such files.
  const { randomUUID } = await import('node:crypto')
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
