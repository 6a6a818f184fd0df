import type { Context } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { driveSandbox } from '../sandboxes/drive.ts'
import type { SessionInput } from './find-session.ts'
import { requireDriver } from './session-access.ts'

const Refreshed = z.object({
  ok: z.boolean(),
  updated: z.boolean(),
  note: z.string().nullable(),
  restart: z.enum(['now', 'when_idle']),
  repo: z.object({ branch: z.string().nullable(), commit: z.string().nullable() }),
})

/** A fetch within the deadline of a request. */
const refreshMs = 20_000

/** Brings the session's branch forward in its sandbox, and gives the agent's runtime a new start once it is idle. */
export async function refreshSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log'>,
  input: SessionInput,
) {
  const { session } = await requireDriver(ctx, input)
  const act = { action: 'refreshSession', path: '/svc/refresh', timeout_ms: refreshMs }
  const { ok, repo, ...outcome } = Refreshed.parse(await driveSandbox(ctx, session, act))
  if (!ok)
    throw new ServiceError(
      'sandbox_unreachable',
      outcome.note ?? 'The sandbox has no clone of the repository; restart the session',
    )
  return { ...outcome, branch: repo.branch, commit: repo.commit }
}
