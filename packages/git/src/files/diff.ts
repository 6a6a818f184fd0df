import { ServiceError } from '@svc/errors'
import { compareCommits } from '../history/compare-commits.ts'
import { cutPatch, isCopySection, patchSections, patchStart } from '../parse/patch.ts'
import { type DiffFile, parseRawDiff } from '../parse/raw-diff.ts'
import { requireShas } from '../refs/ref-name.ts'
import { type Repository, tryGit } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'
import type { RunResult } from '../runner/runner.ts'

export interface DiffRequest {
  /** Commits. */
  readonly base: string
  readonly head: string
  /** True for a diff from the merge base rather than from base, as long as there is one. */
  readonly three_dot: boolean
  /** Only this file, by its new or its old name. */
  readonly path?: string | undefined
  readonly max_patch_bytes: number
}

export interface Changes {
  readonly files: readonly DiffFile[]
  readonly files_changed: number
  readonly additions: number
  readonly deletions: number
  readonly patch: string
  readonly patch_truncated: boolean
}

export interface Diff extends Changes {
  readonly base_sha: string
  readonly head_sha: string
  readonly merge_base: string | null
}

const detection = ['-M', '-C', '--no-ext-diff', '--no-textconv', '--no-color']

/** The changes of head, as a list of files and as a patch that git can apply. */
export async function diff(repository: Repository, request: DiffRequest): Promise<Diff> {
  const { base, head, three_dot, path, max_patch_bytes } = request
  requireShas(base, head)
  const { merge_base } = await compareCommits(repository, { base_sha: base, head_sha: head })
  const range = [three_dot && merge_base !== null ? merge_base : base, head] as const
  const changes = await changesBetween(repository, range, { path, max_patch_bytes })
  return { base_sha: base, head_sha: head, merge_base, ...changes }
}

type Range = readonly [from: string, to: string]

/** The changes from one commit or tree to another. */
export async function changesBetween(
  repository: Repository,
  range: Range,
  { path, max_patch_bytes }: Pick<DiffRequest, 'path' | 'max_patch_bytes'>,
): Promise<Changes> {
  requireShas(...range)
  const { files, patch, truncated } =
    path === undefined
      ? await wholeDiff(repository, range, max_patch_bytes)
      : await diffOfPath(repository, range, path, max_patch_bytes)
  const total = (count: (file: DiffFile) => number) => files.reduce((sum, file) => sum + count(file), 0)
  return {
    files,
    files_changed: files.length,
    additions: total((file) => file.additions),
    deletions: total((file) => file.deletions),
    patch,
    patch_truncated: truncated,
  }
}

interface DiffParts {
  readonly files: readonly DiffFile[]
  readonly patch: string
  readonly truncated: boolean
}

const nothing: DiffParts = { files: [], patch: '', truncated: false }
/** The list of two hundred thousand files fits. */
const maxList = 32 * 1024 * 1024

/** List and patch by one run, which reads the trees once. */
async function wholeDiff(repository: Repository, range: Range, max_patch_bytes: number): Promise<DiffParts> {
  const max_output = maxList + max_patch_bytes
  const output = await run(repository, ['--raw', '--numstat', '--patch'], range, [], max_output)
  const start = patchStart(output.stdout)
  if (start === null) return output.stdout.length === 0 ? nothing : tooLong(output.stdout)
  const patch = output.stdout.subarray(start)
  return {
    files: parseRawDiff(output.stdout.subarray(0, start).toString('utf8')),
    patch: cutPatch(patch, max_patch_bytes).toString('utf8'),
    truncated: output.cut || patch.length > max_patch_bytes,
  }
}

/** A file keeps the status it has in the whole diff: its old name is compared along with it. */
async function diffOfPath(
  repository: Repository,
  range: Range,
  path: string,
  max_patch_bytes: number,
): Promise<DiffParts> {
  const list = await run(repository, ['--raw', '--numstat'], range, [], maxList)
  const changes = parseRawDiff(list.stdout.toString('utf8'))
  const file =
    changes.find((each) => each.path === path) ??
    changes.find((each) => each.old_path === path && each.status === 'renamed')
  if (!file) return nothing
  const names = file.old_path === null ? [file.path] : [file.path, file.old_path]
  const output = await run(repository, ['--patch'], range, names, max_patch_bytes + 1)
  const patch = cutPatch(output.stdout, max_patch_bytes).toString('utf8')
  const own = file.status === 'copied' ? patchSections(patch).filter(isCopySection).join('') : patch
  return { files: [file], patch: own, truncated: output.cut }
}

async function run(
  repository: Repository,
  formats: readonly string[],
  range: Range,
  paths: readonly string[],
  max_output: number,
): Promise<RunResult> {
  const args = ['diff', ...formats, ...detection, '--end-of-options', ...range, '--', ...paths]
  const result = await tryGit(repository, args, { max_output })
  if (result.exit_code === 0 || result.cut) return result
  throw new GitError('diff', result.exit_code, result.stderr)
}

function tooLong(stdout: Buffer): never {
  throw new ServiceError(
    'payload_too_large',
    'The diff touches too many files; compare a smaller range, or clone the repository.',
    { bytes: stdout.length },
  )
}
