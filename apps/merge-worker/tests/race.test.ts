import { changeRequests, merges } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { moveBranch, type Repository, resolveBranch, writeCommit } from '@svc/git'
import {
  closeChangeRequest,
  createChangeRequest,
  mergeChangeRequest,
  reopenChangeRequest,
  updateChangeRequest,
} from '@svc/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker, startSpare, type WorkerProcess } from './support/worker-process.ts'
import { openWorld, type TestProject, type World } from './support/world.ts'

let world: World
let workers: WorkerProcess[]
beforeAll(async () => {
  world = await openWorld()
  const program = await bundleWorker()
  workers = await Promise.all([1, 2, 3, 4].map(() => startSpare(program, world.worker_env(), 4).open()))
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end()))
  await world.close()
})

/** Opens as many change requests at once, each with a file of its own. */
async function open(project: TestProject, count: number) {
  const { project_id } = project
  const heads = Array.from({ length: count }, (_, index) => `head-${index}`)
  for (const head of heads) await project.commit(head, { [`${head}.txt`]: head }, head, { from: 'main' })
  return Promise.all(
    heads.map((head_ref) =>
      createChangeRequest(world.ctx, { project_id, title: head_ref, head_ref, base_ref: 'main' }),
    ),
  )
}

/** Merges into one base; `SVC_LONG_TESTS=1` for the long form. */
const counts = process.env['SVC_LONG_TESTS'] ? { managed: 50, remote: 50 } : { managed: 12, remote: 6 }

interface Pushed {
  readonly branch: string
  readonly sha: string
}

/** A person's push: built on the tip, and built again when another push was faster. */
async function push(repository: Repository, branch: string, path: string): Promise<Pushed> {
  for (;;) {
    const from_sha = await resolveBranch(repository, branch)
    const changes = [{ path, content: path }]
    const message = `Push ${path}`
    const to_sha = await writeCommit(repository, {
      parent_sha: from_sha,
      changes,
      message,
      committed_at: new Date(),
    })
    const move = await moveBranch(repository, { branch, from_sha, to_sha })
    if (move.kind === 'moved') return { branch, sha: to_sha }
  }
}

/** The outcome of a request: done, or refused with this code. Anything else is a defect. */
async function outcome(request: Promise<unknown>): Promise<string> {
  try {
    await request
    return 'done'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

async function expectNothingLost(project: TestProject, pushed: readonly Pushed[]): Promise<void> {
  const { project_id } = project
  const rows = await changeRequests.list(world.ctx.db, { project_id, limit: 1_000 })
  expect(rows.map((row) => row.number).sort((a, b) => a - b)).toEqual(rows.map((_, index) => index + 1))
  const base = new Set((await project.git('rev-list', 'main')).split('\n'))
  const line = (await project.git('rev-list', '--first-parent', 'main')).split('\n')
  for (const { branch, sha } of pushed) await project.git('merge-base', '--is-ancestor', sha, branch)
  for (const row of rows) {
    const first = await project.git('rev-list', '--max-count=1', '--grep', `^${row.title}$`, row.head_ref)
    expect(await merges.findPlanned(world.ctx.db, row.cr_id)).toBeUndefined()
    if (row.status !== 'merged') {
      expect({ number: row.number, status: row.status, merged: base.has(first) }).toEqual({
        number: row.number,
        status: row.status,
        merged: false,
      })
      continue
    }
    const { merge_commit_sha, base_commit_sha, head_commit_sha } = row
    expect(base.has(first) && base.has(head_commit_sha ?? '')).toBe(true)
    const parents = (await project.git('show', '-s', '--format=%P', merge_commit_sha ?? '')).split(' ')
    if (merge_commit_sha === head_commit_sha) expect(line).toContain(base_commit_sha)
    else expect(parents).toEqual([base_commit_sha, head_commit_sha])
  }
  const pending = world.ctx.db
    .selectFrom('merge_attempts')
    .select('attempt_id')
    .where('status', '=', 'pending')
  expect(await pending.where('project_id', '=', project_id).execute()).toEqual([])
}

test.each([
  ['managed', counts.managed],
  ['remote', counts.remote],
] as const)(
  '%s: %i merges into one base by four processes, among closes, edits, reopens and pushes',
  async (storage, count) => {
    const project = await world[storage]()
    const { project_id } = project
    const crs = await open(project, count)
    expect(new Set(crs.map((cr) => cr.number)).size).toBe(count)
    const row = await world.ctx.db
      .selectFrom('projects')
      .selectAll()
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    const credential = { username: 'x-access-token', token: 'secret-token' }
    const target =
      storage === 'managed'
        ? ({ kind: 'managed', project_id } as const)
        : ({ kind: 'connected', project_id, repo_url: row.repo_url, credential } as const)
    const repository = () => world.ctx.repositories.open(target)

    const pushed: Pushed[] = []
    const all = await Promise.all(
      crs.map(async ({ cr_id, head_ref }, index) => {
        const key = { project_id, cr: cr_id }
        const merging = outcome(mergeChangeRequest(world.ctx, key))
        const others: Promise<string>[] = []
        if (index % 5 === 0) others.push(outcome(closeChangeRequest(world.ctx, key)))
        if (index % 5 === 1)
          others.push(outcome(updateChangeRequest(world.ctx, { ...key, description: 'edited' })))
        if (index % 10 === 2) pushed.push(await push(await repository(), 'main', `base-${index}`))
        if (index % 5 === 3) pushed.push(await push(await repository(), head_ref, `${head_ref}-more`))
        const [merged, ...rest] = await Promise.all([merging, ...others])
        const reopened =
          rest[0] === 'done' && index % 10 === 0 ? await outcome(reopenChangeRequest(world.ctx, key)) : null
        return { cr_id, index, merged, rest, reopened }
      }),
    )
    for (const { cr_id, index, merged, rest, reopened } of all) {
      const end = await changeRequests.find(world.ctx.db, { project_id, cr: cr_id })
      if (index % 5 === 1) {
        expect(['done', 'CR_NOT_OPEN']).toContain(rest[0])
        expect(end?.description === 'edited').toBe(rest[0] === 'done')
      }
      const report = { index, merged, rest, reopened, status: end?.status }
      if (index % 5 !== 0) expect(report).toMatchObject({ merged: 'done', status: 'merged' })
      else {
        expect([
          { merged: 'done', rest: ['CR_NOT_OPEN'], reopened: null, status: 'merged' },
          { merged: 'CR_NOT_OPEN', rest: ['done'], reopened: null, status: 'closed' },
          { merged: 'CR_NOT_OPEN', rest: ['done'], reopened: 'done', status: 'open' },
        ]).toContainEqual({ merged, rest, reopened, status: end?.status })
      }
    }
    await expectNothingLost(project, pushed)
  },
)
