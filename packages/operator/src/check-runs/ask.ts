import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { type CheckPartRow, checkRuns, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type CheckName, checkNames } from '@svc/facts'
import type { Changing, Looking } from '../context.ts'
import { checksOf } from '../checks/list.ts'
import { enqueuePart } from './enqueue-part.ts'

export interface CheckRequest {
  readonly checks?: readonly CheckName[] | undefined
  readonly project_id?: string | undefined
  readonly repair?: boolean | undefined
}

/** Asks the workers to compare rows with what is there; each has the checks that it has the means for. */
export async function startChecks(ctx: Changing, input: CheckRequest) {
  const { user_id } = await requirePlatformAdmin(ctx)
  const { checks = checkNames, project_id = null, repair = false } = input
  const account_id = project_id === null ? null : await accountOf(ctx, project_id)
  const wanted = checksOf({ checks, project_id })
  if (wanted.length === 0)
    throw new ServiceError(
      'invalid_request',
      'These checks look at the whole platform; leave `project_id` out.',
    )
  const run_id = ctx.newId()
  const queues = [...new Set(wanted.map(({ worker }) => worker))]
  const names = wanted.map(({ name }) => name)
  await ctx.db.transaction().execute(async (tx) => {
    const run = { run_id, checks: names, project_id, repair, asked_by: user_id, started_at: ctx.now() }
    await checkRuns.insert(tx, run, queues)
    const target = `admin/checks/${run_id}`
    await recordOperatorAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'startChecks',
      target,
      details: { repair },
    })
  })
  for (const queue of queues) await enqueuePart(ctx, { run_id, queue })
  return { run_id, state: 'running' as const }
}

async function accountOf({ db }: Looking, project_id: string): Promise<string> {
  const account_id = await projects.findAccountId(db, project_id)
  if (account_id === undefined)
    throw new ServiceError('not_found', 'There is no such project; list the projects of its account.')
  return account_id
}

/** A run and what it has found so far. */
export async function getChecks(ctx: Looking, { run_id }: { readonly run_id: string }) {
  await requirePlatformAdmin(ctx)
  const run = await checkRuns.find(ctx.db, run_id)
  if (!run) throw new ServiceError('not_found', 'There is no such run of checks; list the runs again.')
  const state = stateOf(run.parts)
  const ends = run.parts.flatMap(({ finished_at }) => (finished_at === null ? [] : [finished_at.getTime()]))
  return {
    run_id,
    state,
    findings: run.parts.flatMap(({ findings }) => [...findings]),
    started_at: run.started_at,
    finished_at: state === 'running' ? null : new Date(Math.max(...ends)),
  }
}

/** A run is as its parts are: it runs as long as one does. */
function stateOf(parts: readonly CheckPartRow[]): CheckPartRow['state'] {
  if (parts.some(({ state }) => state === 'running')) return 'running'
  return parts.some(({ state }) => state === 'failed') ? 'failed' : 'done'
}
