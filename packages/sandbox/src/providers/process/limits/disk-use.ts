import { execFile } from 'node:child_process'
import { readdir, stat, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { SandboxPaths } from '../paths.ts'

const run = promisify(execFile)
const mebibyte = 1024 * 1024
const timeoutMs = 300_000

/**
 * A sandbox's use of the disk, in MiB: its folders, and files that are deleted but still held open, which take their
 * room until they are closed.
 */
export async function diskUse(paths: SandboxPaths, pids: readonly number[]): Promise<number> {
  const [kept, held] = await Promise.all([foldersUse(paths), heldUse(pids)])
  return Math.ceil((kept + held) / mebibyte)
}

/** Free room of the file system that holds `folder`, in MiB. */
export async function freeRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor((bavail * bsize) / mebibyte)
}

async function foldersUse({ workspace, home, run: own }: SandboxPaths): Promise<number> {
  const folders = [workspace, home, own]
  const measure = ['-skx', '--', ...folders]
  try {
    return bytesOf((await run('nice', ['-n', '19', 'du', ...measure], { timeout: timeoutMs })).stdout)
  } catch {
    // Folders that were closed to every user do not hide their content: within its own namespace, their owner is root.
    const open = await run('unshare', ['-r', 'du', ...measure], { timeout: timeoutMs }).catch(partial)
    return bytesOf(open.stdout)
  }
}

/** Files that vanish while they are counted make du complain; what it counted stands. */
function partial(error: unknown): { readonly stdout: string } {
  const printed = error instanceof Error && 'stdout' in error ? error.stdout : ''
  return { stdout: typeof printed === 'string' ? printed : '' }
}

function bytesOf(printed: string): number {
  const sizes = [...printed.matchAll(/^(\d+)\s/gm)].map(([, size]) => Number(size))
  return sizes.reduce((sum, size) => sum + size, 0) * 1024
}

async function heldUse(pids: readonly number[]): Promise<number> {
  const files = new Map<string, number>()
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`
    for (const name of await readdir(folder).catch(() => [])) {
      const found = await stat(`${folder}/${name}`).catch(() => null)
      if (found?.isFile() === true && found.nlink === 0)
        files.set(`${found.dev}:${found.ino}`, found.blocks * 512)
    }
  }
  return [...files.values()].reduce((sum, size) => sum + size, 0)
}
