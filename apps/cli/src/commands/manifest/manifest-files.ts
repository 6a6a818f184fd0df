import { readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { agentFilePaths, limits, type ManifestFiles, type ManifestPath, readManifest } from '@svc/manifest'
import { OperationError, UsageError } from '../../failures.ts'

/** What is to be judged, and what its files are called on the screen. */
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
  const [yaml, toml] = await Promise.all([textOf(join(target, 'svc.yaml')), textOf(join(target, 'svc.toml'))])
  const agents =
    yaml !== undefined
      ? await agentFiles(target, 'svc.yaml', yaml)
      : toml !== undefined
        ? await agentFiles(target, 'svc.toml', toml)
        : undefined
  return { files: { 'svc.yaml': yaml, 'svc.toml': toml, agents }, labelOf: (file) => join(path, file) }
}

async function agentFiles(
  root: string,
  path: ManifestPath,
  text: string,
): Promise<Record<string, string> | undefined> {
  const { manifest } = readManifest({ path, text })
  if (manifest === null) return undefined
  const files: Record<string, string> = {}
  for (const file of agentFilePaths(manifest)) {
    // A repository's files end at its root, wherever its manifest points.
    if (relative(root, resolve(root, file)).startsWith('..')) continue
    const found = await textOf(join(root, file))
    if (found !== undefined) files[file] = found
  }
  return files
}

/** A file over the validator's limit is not read: any text over the limit has the same verdict. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    return size > limits.bytes ? ' '.repeat(limits.bytes + 1) : await readFile(file, 'utf8')
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw new OperationError(`cannot read ${file}`, undefined, { cause })
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}
