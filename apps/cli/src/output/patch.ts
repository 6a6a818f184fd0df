import { counted } from '@svc/facts'
import type { Cli } from '../cli.ts'
import { colorDiff } from './diff.ts'
import { showPaged } from './pager.ts'

interface Patch {
  readonly patch: string
  readonly patch_truncated: boolean
  readonly files_changed: number
  readonly additions: number
  readonly deletions: number
}

/** A patch for a person at a terminal; a pipe gets it byte for byte, so that `git apply` takes it. */
export async function showPatch({ io, out }: Pick<Cli, 'io' | 'out'>, answer: Patch): Promise<void> {
  if (out.is_terminal) await showPaged(io, `${colorDiff(answer.patch, out.colors).trimEnd()}\n`)
  else io.stdout.write(answer.patch)
  if (!answer.patch_truncated) return
  const { files_changed, additions, deletions } = answer
  out.note(`The patch is cut: ${counted(files_changed, 'file')}, +${additions} -${deletions} in all.`)
}
