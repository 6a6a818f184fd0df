import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../../sandbox-error.ts'

const run = promisify(execFile)

/** Removes a folder, also one in which a sandbox has closed folders to every user, their owner included. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error
    await run('chmod', ['-R', 'u+rwX', '--', path])
    await rm(path, { recursive: true, force: true })
  }
}
