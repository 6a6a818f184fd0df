import type { JobContext } from '@svc/context'
import { type ProjectRow, projects, withLock } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { listCommits, moveBranch, type Repository, resolveBranch } from '@svc/git'
import { openRepository } from '../projects/repository.ts'
import type { BaseMove, PlannedMove } from './base-move.ts'
import { containsCommit, hasCommit } from './contains-commit.ts'

/** Max times that a move starts over because its base moved meanwhile. */
const rounds = 10

/**
 * Gives an attempt to move a base branch its outcome, in turn with the others of its project. The plan is written down
 * before the branch moves, so that the run after a crash finds out from git which of the two happened. `begin` reads the
 * attempt once its turn has come; null when it has ended.
 */
export async function moveBase<Plan extends PlannedMove>(
  ctx: JobContext,
  { project_id }: { readonly project_id: string },
  begin: (project: ProjectRow) => Promise<BaseMove<Plan> | null>,
): Promise<void> {
  await withLock(ctx.locks, `merge:${project_id}`, async () => {
    const project = await projects.find(ctx.db, project_id)
    const move = project ? await begin(project) : null
    if (!project || move === null) return
    const open = () => openRepository(ctx, project)
    try {
      const repository = await open()
      if (await settleLeftover(open, repository, move)) return
      await moveNow(open, repository, move)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // Planned and not settled: the ref may have moved, so this is no end. The next run asks git what happened.
      if ((await move.findPlanned()) !== null) throw error
      await move.refuse(error)
    }
  })
}

type Open = () => Promise<Repository>

/** Brings a plan whose end is not known to one; true when that was the end of this very attempt. */
async function settleLeftover<Plan extends PlannedMove>(
  open: Open,
  repository: Repository,
  move: BaseMove<Plan>,
): Promise<boolean> {
  const plan = await move.findPlanned()
  if (plan === null) return false
  // The commit was lost with the copy that held it: a new plan on the same commits makes the same commit.
  if (!(await hasCommit(repository, plan.to_sha))) {
    await move.abandon(plan)
    return false
  }
  return (await carryOut(open, repository, move, plan)) && plan.attempt_id === move.attempt_id
}

async function moveNow<Plan extends PlannedMove>(
  open: Open,
  opened: Repository,
  move: BaseMove<Plan>,
): Promise<void> {
  let repository = opened
  for (let round = 0; round < rounds; round += 1) {
    const plan = await move.plan(repository)
    if (plan === null || (await carryOut(open, repository, move, plan))) return
    repository = await open()
  }
  throw move.keptMoving()
}

/**
 * Moves the base as planned, and again as long as it is where the plan found it: a push of a dead worker may still be
 * on its way, and only the same push ends in the same place. False once the base is elsewhere without the commit.
 */
async function carryOut<Plan extends PlannedMove>(
  open: Open,
  opened: Repository,
  move: BaseMove<Plan>,
  plan: Plan,
): Promise<boolean> {
  const { branch, to_sha } = plan
  const from_sha = plan.from_sha ?? (await parentOf(opened, to_sha))
  let repository = opened
  for (let round = 0; round < rounds; round += 1) {
    const moved = await moveBranch(repository, { branch, from_sha, to_sha })
    if (moved.kind === 'moved') {
      await move.finish(plan)
      return true
    }
    if (moved.kind === 'rejected') {
      await move.abandon(plan)
      throw new ServiceError('repository_push_rejected', moved.message)
    }
    repository = await open()
    const tip = await resolveBranch(repository, branch)
    if (tip !== null && (await containsCommit(repository, tip, to_sha))) {
      await move.finish(plan)
      return true
    }
    if (tip === from_sha) continue
    await move.abandon(plan)
    return false
  }
  throw move.keptMoving()
}

async function parentOf(repository: Repository, commit_sha: string): Promise<string> {
  const { commits } = await listCommits(repository, { ref: commit_sha, limit: 1 })
  const parent = commits[0]?.parents[0]
  if (parent === undefined) throw new Error(`The planned commit ${commit_sha} has no parent`)
  return parent
}
