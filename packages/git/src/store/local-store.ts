import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@svc/errors'
import { backOffMs } from '@svc/timing'
import { createLooseRef, readRefFiles } from '../refs/ref-files.ts'
import { zeroSha } from '../refs/ref-name.ts'
import type { Runner } from '../runner/runner.ts'
import { initBare, isRepository } from '../storage/init-bare.ts'
import { removeRepository } from '../storage/remove-repository.ts'
import { clearStaleLocks } from '../storage/stale-locks.ts'
import type { PublishOutcome, RefChange, RepositoryStore } from './repository-store.ts'

interface Place {
  readonly runner: Runner
  readonly git_dir: string
  readonly signal: AbortSignal | undefined
}

/** Bare repositories in one folder that all processes see; its references are git's own, so no generation is counted. */
export function createLocalStore({
  root,
  runner,
}: {
  readonly root: string
  readonly runner: Runner
}): RepositoryStore {
  const place = (project_id: string, signal?: AbortSignal): Place => ({
    runner,
    git_dir: repositoryPath(root, project_id),
    signal,
  })
  return {
    create: async (project_id, head_ref, signal) => initBare(place(project_id, signal), head_ref),
    async open(project_id, signal) {
      signal?.throwIfAborted()
      const dir = repositoryPath(root, project_id)
      return (await isRepository(dir)) ? { dir, generation: 0 } : null
    },
    publish: async ({ project_id, refs }, signal) => publish(place(project_id, signal), refs),
    remove: async (project_id) => removeRepository(repositoryPath(root, project_id)),
    async measure(project_id, signal) {
      const { git_dir } = place(project_id)
      if (!(await isRepository(git_dir))) throw notThere()
      const result = await runner.run(['count-objects', '-v'], { git_dir, signal })
      return parseCounts(result.stdout.toString('utf8'))
    },
  }
}

export const notThere = (): ServiceError =>
  new ServiceError('git_mirror_unavailable', 'The repository is not there yet; try again in a moment.', {
    retry_after: 5,
  })

/** The folder of a project's repository or mirror; an id that could climb out of `root` is refused. */
export function repositoryPath(root: string, project_id: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/i.test(project_id)) {
    throw new ServiceError(
      'invalid_request',
      'The project id is not valid; give the id that the project has.',
    )
  }
  return join(root, `${project_id}.git`)
}

/** Far longer than any process holds a lock, on a busy machine as well; a session that met one would end as failed. */
const lockWaitMs = 5_000
const published: PublishOutcome = { kind: 'published', generation: 0 }
const conflict: PublishOutcome = { kind: 'conflict', generation: 0 }

async function publish(place: Place, refs: readonly RefChange[]): Promise<PublishOutcome> {
  if (await cutOne(place, refs)) return published
  const input = Buffer.from(transaction(refs))
  const { git_dir, runner, signal } = place
  let stderr = ''
  const until = performance.now() + lockWaitMs
  for (let attempt = 0; ; attempt += 1) {
    const result = await runner.run(['update-ref', '--no-deref', '--stdin', '-z'], { git_dir, signal, input })
    if (result.exit_code === 0) return published
    stderr = result.stderr
    if (!(await stillThere(place, refs))) return conflict
    // Right commits and still no success: another process holds the lock, or died holding it.
    if (!stderr.includes('.lock') || performance.now() > until) break
    await clearStaleLocks(git_dir, { older_than_ms: 10_000 })
    await sleep(backOffMs(attempt, 20, 500), null, { signal })
  }
  return { kind: 'rejected', message: lastLine(stderr) }
}

/** A single new branch needs no process. A name with folders needs git, which makes and unmakes them under the feet of others. */
async function cutOne(place: Place, refs: readonly RefChange[]): Promise<boolean> {
  const [only, ...others] = refs
  if (only === undefined || others.length > 0 || only.old !== null || only.new === null) return false
  if (only.ref.replace('refs/heads/', '').includes('/')) return false
  return createLooseRef(place, only.ref, only.new)
}

/** The commands of `git update-ref --stdin -z`: all references move or none does. */
const transaction = (refs: readonly RefChange[]): string =>
  refs
    .map(({ ref, old, new: to }) =>
      to === null ? `delete ${ref}\0${old ?? ''}\0` : `update ${ref}\0${to}\0${old ?? zeroSha}\0`,
    )
    .join('')

async function stillThere(place: Place, refs: readonly RefChange[]): Promise<boolean> {
  const values = await Promise.all(refs.map(({ ref }) => valueOf(place, ref)))
  return refs.every(({ old }, index) => values[index] === old)
}

async function valueOf(place: Place, ref: string): Promise<string | null> {
  const known = await readRefFiles(place, ref)
  if (known !== 'unclear') return known
  const { runner, git_dir, signal } = place
  const asked = await runner.run(['rev-parse', '--verify', '--quiet', ref], { git_dir, signal })
  return asked.exit_code === 0 ? asked.stdout.toString('latin1').trim() : null
}

function parseCounts(text: string): { bytes: number; packs: number } {
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  return { bytes: (count('size') + count('size-pack')) * 1024, packs: count('packs') }
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^(fatal|error): /, '') ?? ''
