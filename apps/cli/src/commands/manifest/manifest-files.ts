import { readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { agentFilePaths, manifestLimits, type ManifestFiles, readManifest } from '@svc/manifest'
import { OperationError, UsageError } from '../../failures.ts'

/** The manifest to judge, and the names of its files on the screen. */
export interface FoundManifest {
  readonly files: ManifestFiles
  /** a file's name as it can be opened from here */
  labelOf(file: string): string
}

/** A folder's manifest with its agents' files, or one file by itself. */
export async function manifestFiles(cwd: string, path: string): Promise<FoundManifest> {
  const target = resolve(cwd, path)
  const kind = await stat(target).catch((cause: unknown) => {
    if (isMissing(cause)) throw new UsageError(`there is no ${path}`, 'give a folder or a manifest file')
    throw new OperationError(`cannot read ${path}`, undefined, { cause })
  })
  if (!kind.isDirectory()) {
    const name = path.endsWith('.toml') ? 'svc.toml' : 'svc.yaml'
    return { files: { [name]: (await textOf(target)) ?? '' }, labelOf: () => path }
  }
  // A repository's files end at its root, wherever its manifest points.
  const inside = (path: string) => !relative(target, resolve(target, path)).startsWith('..')
  const read = async (path: string) => (inside(path) ? textOf(join(target, path)) : undefined)
  return {
    files: await filesToJudge(read),
    labelOf: (file) => join(path, file),
  }
}

/** A manifest with its agents' files, from wherever they are kept; `read` answers undefined for a missing file. */
export async function filesToJudge(
  read: (path: string) => Promise<string | undefined>,
): Promise<ManifestFiles> {
  const [yaml, toml] = await Promise.all([read('svc.yaml'), read('svc.toml')])
  const [path, text] = yaml !== undefined ? (['svc.yaml', yaml] as const) : (['svc.toml', toml] as const)
  const manifest = text === undefined ? null : readManifest({ path, text }).manifest
  const agents: Record<string, string> = {}
  for (const file of manifest === null ? [] : agentFilePaths(manifest)) {
    const found = await read(file)
    if (found !== undefined) agents[file] = found
  }
  return { 'svc.yaml': yaml, 'svc.toml': toml, agents: manifest === null ? undefined : agents }
}

/** A file over the validator's limit is not read: any text over the limit has the same verdict. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    return size > manifestLimits.bytes ? ' '.repeat(manifestLimits.bytes + 1) : await readFile(file, 'utf8')
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw new OperationError(`cannot read ${file}`, undefined, { cause })
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}
