import { open, readdir, realpath, stat, lstat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { daemonLimits } from '../limits.ts'
import { refuse } from '../serving/answers.ts'

export interface WorkspaceEntry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'symlink'
  readonly size: number | null
}

const entriesPerFolder = 10_000

/** The real place of a path in the workspace; a link that leads out of it is a path that does not exist. */
async function resolveInside(workspace: string, path: string): Promise<string> {
  if (path.includes('\0')) refuse(400, 'The path must not contain NUL')
  const root = await realpath(workspace)
  const real = await realpath(resolve(root, path.replace(/^\/+/, ''))).catch(() => null)
  if (real === null || (real !== root && !real.startsWith(root + sep)))
    refuse(404, 'There is no such path; list the folder above it')
  return real
}

export async function listFolder(
  workspace: string,
  path: string,
): Promise<{ path: string; entries: WorkspaceEntry[] }> {
  const root = await realpath(workspace)
  const folder = await resolveInside(workspace, path)
  if (!(await stat(folder)).isDirectory()) refuse(400, 'This path is not a folder; read it as a file')
  const names = (await readdir(folder)).filter((name) => name !== '.git').sort()
  const entries = await Promise.all(
    names.slice(0, entriesPerFolder).map((name) => entryOf(root, join(folder, name))),
  )
  return { path: relative(root, folder), entries: entries.flat() }
}

async function entryOf(root: string, place: string): Promise<WorkspaceEntry[]> {
  const info = await lstat(place).catch(() => null)
  if (!info) return []
  const path = relative(root, place)
  if (info.isSymbolicLink()) return [{ path, type: 'symlink', size: null }]
  if (info.isDirectory()) return [{ path, type: 'directory', size: null }]
  return info.isFile() ? [{ path, type: 'file', size: info.size }] : []
}

/** Bytes as they are, as a download: nothing of the workspace is ever shown as a page of the platform. */
export async function readWorkspaceFile(workspace: string, path: string): Promise<Response> {
  const place = await resolveInside(workspace, path)
  const info = await stat(place)
  if (!info.isFile()) refuse(400, 'This path is not a file; list it as a folder')
  if (info.size > daemonLimits.fileBytes)
    refuse(413, 'The file is too large to be read here; commit it, or fetch it in pieces', 'file_too_large')
  const file = await open(place, 'r')
  try {
    return new Response(await file.readFile(), {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(basename(place))}`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    })
  } finally {
    await file.close()
  }
}
