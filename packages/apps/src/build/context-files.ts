import { listFiles, readFile, type Repository } from '@svc/git'
import type { BuildFile } from '@svc/sandbox'
import { appLimits } from '../context.ts'
import { ReleaseError } from '../releases/release-error.ts'
import { ignoreFile, sentPaths } from './build-context.ts'

export interface ContextPlace {
  readonly commit_sha: string
  /** The folder, empty for the whole repository. */
  readonly context: string
  /** Below the folder. */
  readonly dockerfile: string
}

/** The files of a commit that an image is built of, one after the other. */
export async function* contextFiles(
  repository: Repository,
  { commit_sha, context, dockerfile }: ContextPlace,
): AsyncGenerator<BuildFile> {
  const entries = await listFiles(repository, { ref: commit_sha, path: context, recursive: true })
  if (entries === null)
    throw new ReleaseError(
      'config',
      `There is no folder ${JSON.stringify(context)} at ${commit_sha.slice(0, 12)}; correct the path in svc.yaml`,
    )
  const prefix = context === '' ? '' : `${context}/`
  const read = (path: string) =>
    readFile(repository, { ref: commit_sha, path: `${prefix}${path}`, max_bytes: appLimits.bytes })
  const modes = new Map(
    entries.flatMap(({ path, type, mode }) =>
      type === 'file' ? [[path.slice(prefix.length), mode] as const] : [],
    ),
  )
  const ignored = modes.has(ignoreFile) ? await read(ignoreFile) : null
  let bytes = 0
  for (const path of sentPaths([...modes.keys()], dockerfile, ignored?.content.toString() ?? null)) {
    const file = await read(path)
    if (file === null) continue
    bytes += file.size
    if (bytes > appLimits.archiveBytes)
      throw new ReleaseError(
        'build',
        `The context has more than ${appLimits.archiveBytes} bytes; name in ${ignoreFile} what the image does not need`,
      )
    yield { path, executable: modes.get(path) === '100755', content: file.content }
  }
}
