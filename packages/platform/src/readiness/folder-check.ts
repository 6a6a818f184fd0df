import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { Check } from '@svc/boot'

/** A push or a merge that finds no room breaks off in the middle. */
const leastFreeBytes = 2 ** 30

/** The folder can be written, and there is room below it. */
export function folderCheck(path: string, least = leastFreeBytes): Check {
  return async () => {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(path)
    if (bavail * bsize <= least)
      throw new Error(
        `Only ${bavail * bsize} bytes are free below ${path}, and more than ${least} are needed`,
      )
  }
}
