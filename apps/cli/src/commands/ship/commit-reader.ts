import { manifestLimits } from '@svc/manifest'
import { gitMaybe } from '../../git.ts'
import type { WorkTree } from './work-tree.ts'

/** Reads files as the commit holds them: the files judged are the files pushed. */
export function commitReader({ root, commit }: Pick<WorkTree, 'root' | 'commit'>) {
  return async (path: string): Promise<string | undefined> => {
    const object = `${commit}:${path}`
    const size = await gitMaybe(root, ['cat-file', '-s', object])
    if (size === null) return undefined
    // Any text over the limit has the same verdict.
    if (Number(size) > manifestLimits.bytes) return ' '.repeat(manifestLimits.bytes + 1)
    return (await gitMaybe(root, ['cat-file', 'blob', object])) ?? undefined
  }
}
