import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeRequests, type MergeAttemptRow, merges } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { updateChangeRequest } from '@svc/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askForMerge,
  openWorld,
  type Proposal,
  propose,
  type TestProject,
  type World,
} from './support/world.ts'
import { bundleWorker, type Spare, startSpare, type WorkerProcess } from './support/worker-process.ts'

/** Kills of each of the four cases; `SVC_LONG_TESTS=1` for the long form. */
const kills = process.env['SVC_LONG_TESTS'] ? 140 : 7

let world: World
let env: Record<string, string>
let program: string
let spare: Spare
let worker: WorkerProcess
beforeAll(async () => {
  world = await openWorld()
  env = world.worker_env()
  program = await bundleWorker()
  spare = startSpare(program, env)
  worker = await nextWorker()
})
afterAll(async () => {
  await worker.end()
  await spare.end()
  await world.close()
})

async function nextWorker(): Promise<WorkerProcess> {
  const next = await spare.open()
  spare = startSpare(program, env)
  return next
}

/**
 * Enqueues the job anew, as the sweep does for a lost job once it finds its row; a queue that is late is asked again.
 */
async function hint(attempt_id: string): Promise<void> {
  for (;;) {
    try {
      return await world.platform.queue.enqueue('merge', 'change-request.merge', { attempt_id })
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'temporarily_unavailable')) throw error
    }
  }
}

/** Sweeps as the scheduler does, only more often. */
async function finished(attempt_id: string): Promise<MergeAttemptRow> {
  for (let turn = 1; ; turn += 1) {
    const attempt = await merges.findAttempt(world.ctx.db, attempt_id)
    if (attempt && attempt.status !== 'pending') return attempt
    await sleep(10)
    if (turn % 200 === 0) await hint(attempt_id)
  }
}

const holds = async (project: TestProject, ref: string, sha: string) =>
  (await project.git('rev-list', ref)).split('\n').includes(sha)

/** A row never says merged before the base holds the merge. */
async function expectNoLie(project: TestProject, { cr_id, base_ref }: Proposal): Promise<void> {
  const row = await changeRequests.find(world.ctx.db, { project_id: project.project_id, cr: cr_id })
  if (row?.status === 'merged') expect(await holds(project, base_ref, row.merge_commit_sha ?? '')).toBe(true)
  else expect(row?.status).toBe('open')
}

/** Invariant 2: the ref moved once, and row, attempt and intent say so with the SHAs that were merged. */
async function expectMerged(
  project: TestProject,
  proposal: Proposal,
  attempt: MergeAttemptRow,
): Promise<void> {
  const { cr_id, base_ref, base_sha, head_sha } = proposal
  const tip = await project.git('rev-parse', `refs/heads/${base_ref}`)
  expect(attempt).toMatchObject({
    status: 'merged',
    outcome: { kind: 'merged', base_sha_before: base_sha, base_sha_after: tip, merge_commit_sha: tip },
  })
  const row = await changeRequests.find(world.ctx.db, { project_id: project.project_id, cr: cr_id })
  expect(row).toMatchObject({
    status: 'merged',
    base_commit_sha: base_sha,
    head_commit_sha: head_sha,
    merge_commit_sha: tip,
  })
  const parents = (await project.git('show', '-s', '--format=%P', tip)).split(' ')
  if (tip !== head_sha) expect(parents).toEqual([base_sha, head_sha])
  else expect(await holds(project, base_ref, base_sha)).toBe(true)
  expect(await merges.findPlanned(world.ctx.db, cr_id)).toBeUndefined()
}

/** Every step of a merge that nothing disturbs. */
async function stepsOf(project: TestProject, kind: 'fast_forward' | 'merge_commit'): Promise<string[]> {
  const proposal = await propose(world, project, kind)
  const attempt_id = await askForMerge(world, project.project_id, proposal.cr_id)
  await worker.arm(null)
  await hint(attempt_id)
  await expectMerged(project, proposal, await finished(attempt_id))
  while (!worker.labels.some((label) => label.startsWith('after') && label.includes('unlock'))) await sleep(5)
  return [...new Set(worker.labels)]
}

/** The steps that the guarantee names: before and after the intent, the move of the base, and the row. */
const namedSteps = (storage: 'managed' | 'remote'): string[] =>
  ['Insert merge_intents', storage === 'managed' ? 'publish' : 'push', 'Update change_requests'].flatMap(
    (name) => [`before ${name} #1`, `after ${name} #1`],
  )

/** So many of them, evenly spread, from another start each time. */
function spread(steps: readonly string[], count: number): string[] {
  const stride = Math.max(1, steps.length / count)
  const start = Math.random() * stride
  return steps.filter(
    (_, index) => Math.floor((index + start) / stride) !== Math.floor((index + start - 1) / stride),
  )
}

describe.each(['managed', 'remote'] as const)('%s', (storage) => {
  let project: TestProject
  beforeAll(async () => {
    project = await world[storage]()
  })

  test.each(['fast_forward', 'merge_commit'] as const)(
    `a worker killed ${kills} times during a %s leaves row and ref in agreement`,
    async (kind) => {
      const steps = await stepsOf(project, kind)
      const named = namedSteps(storage)
      expect(steps).toEqual(expect.arrayContaining(named))
      const others = steps.filter((step) => !named.includes(step))
      const order = [...named, ...spread(others, kills - named.length)]
      const died = new Map<string, number>()
      const killed = () => [...died.values()].reduce((sum, each) => sum + each, 0)
      for (let tried = 0; killed() < kills || !named.every((step) => died.has(step)); tried += 1) {
        const at = order[tried % order.length] ?? ''
        const proposal = await propose(world, project, kind)
        const attempt_id = await askForMerge(world, project.project_id, proposal.cr_id)
        await worker.arm(at)
        await hint(attempt_id)
        const end = finished(attempt_id)
        await Promise.race([worker.ended, end])
        await expectNoLie(project, proposal)
        // The last steps come after the row has its end; a worker that can be disarmed has survived them.
        const survived = await worker.arm('nowhere').then(
          () => true,
          () => false,
        )
        if (!survived) {
          died.set(at, (died.get(at) ?? 0) + 1)
          worker = await nextWorker()
          await hint(attempt_id)
        }
        try {
          await expectMerged(project, proposal, await end)
        } catch (error) {
          throw new Error(`killed ${at}`, { cause: error })
        }
      }
      // Later than the row, and in the middle of a step, a worker may be done before it is killed.
      const sure = steps
        .slice(0, steps.indexOf('after Update change_requests #1'))
        .filter((step) => !step.startsWith('during'))
      if (order.length === steps.length) expect([...died.keys()]).toEqual(expect.arrayContaining(sure))
      console.info(`${storage} ${kind}: ${killed()} kills at ${died.size} of ${steps.length} steps`)
    },
  )
})

/** Holds the first push until a second one comes, and the second one until the first has landed. */
const holdingHook = `#!/bin/sh
read -r old new ref
if mkdir first 2>/dev/null; then
  until [ -d second ]; do sleep 0.02; done
elif mkdir second 2>/dev/null; then
  until [ "$(env -u GIT_QUARANTINE_PATH git rev-parse "$ref")" != "$old" ]; do sleep 0.02; done
fi
`

test.each([
  ['nothing', {}],
  ['the title, and with it the message,', { title: 'Another title' }],
])('a push that outlives its worker is one merge with that of the next, when %s changed', async (_, edit) => {
  const project = await world.remote()
  const proposal = await propose(world, project, 'merge_commit')
  const hook = join(project.git_dir, 'hooks/pre-receive')
  await mkdir(join(project.git_dir, 'hooks'), { recursive: true })
  await writeFile(hook, holdingHook, { mode: 0o755 })
  const attempt_id = await askForMerge(world, project.project_id, proposal.cr_id)
  await hint(attempt_id)
  await expect.poll(() => readdir(project.git_dir)).toContain('first')
  await worker.end()
  const { project_id } = project
  await updateChangeRequest(world.ctx, { project_id, cr: proposal.cr_id, ...edit })
  worker = await nextWorker()
  await hint(attempt_id)
  await expectMerged(project, proposal, await finished(attempt_id))
  expect(await readdir(project.git_dir)).toContain('second')
})
