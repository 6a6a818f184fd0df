import { chmod, chown, mkdir } from 'node:fs/promises'
import type { SandboxPaths } from '../paths.ts'

/** The platform's files stay closed to the sandbox's user, who may only pass through to its own folders. */
export async function makeSandboxFolders(paths: SandboxPaths, uid: number | null): Promise<void> {
  await mkdir(paths.folder, { mode: 0o700 })
  await mkdir(paths.etc)
  await chmod(paths.etc, 0o755)
  for (const folder of [paths.workspace, paths.home, paths.run]) {
    await mkdir(folder, { mode: 0o700 })
    if (uid !== null) await chown(folder, uid, uid)
  }
  if (uid === null) return
  await chown(paths.folder, 0, uid)
  await chmod(paths.folder, 0o710)
}
