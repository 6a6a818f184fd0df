import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'

/**
 * A folder that many test files read and none changes, made by the first that wants it; others that come meanwhile wait.
 * `make` fills the folder that it is given. When it fails, the next one tries again.
 */
export async function onceARun(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const root = inject('svc_once_a_run')
  const [made, lock] = [join(root, name), join(root, `${name}.lock`)]
  while (!existsSync(made)) {
    if (!(await isMine(lock))) {
      await sleep(50)
      continue
    }
    try {
      // The one before may have ended between the look and the lock.
      if (existsSync(made)) break
      const draft = await mkdtemp(join(root, `${name}-`))
      await chmod(draft, 0o755)
      await make(draft)
      await rename(draft, made)
    } finally {
      await rm(lock, { recursive: true })
    }
  }
  return made
}

async function isMine(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
