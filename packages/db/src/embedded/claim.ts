import { type FileLock, lockFile } from '@svc/files'
import { join } from 'node:path'

/** Another living process runs the server of a data directory. */
export class DataDirInUse extends Error {}

/**
 * Notes that this process owns the data directory, and refuses when another living one does: taking over a
 * leftover server is right after a crash and wrong beside a running platform.
 */
export async function claim(data_dir: string): Promise<FileLock> {
  return lockFile(join(data_dir, 'owner'), {
    timeoutMs: 0,
    refusal: (pid) =>
      new DataDirInUse(`The data directory ${data_dir} is in use by the running process ${pid}`),
  })
}
