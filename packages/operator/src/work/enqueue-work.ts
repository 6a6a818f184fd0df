import { triggerFires } from '@svc/db'
import type { WorkKind } from '@svc/facts'
import { notifySchedulers } from '@svc/services'
import type { Changing } from '../context.ts'

const jobs = {
  provision: 'sandbox.provision',
  deliver: 'prompts.deliver',
  stop: 'sandbox.stop',
  destroy: 'sandbox.destroy',
  secrets: 'sandbox.secrets',
  // The daemon saves its work by itself: a worker looks whether it still lives.
  checkpoint: 'sandbox.check',
  check: 'sandbox.check',
} as const

/** Kinds of work that a session asks for; a look at its sandbox is never owed. */
export type SessionWork = keyof typeof jobs

interface Wanted {
  readonly kind: WorkKind | 'check'
  readonly id: string
  readonly project_id: string
}

/** Asks a worker for it, by the job that its sweep would make, or a scheduler. */
export async function enqueueWork(
  ctx: Pick<Changing, 'enqueue' | 'db' | 'log' | 'now'>,
  { kind, id, project_id }: Wanted,
): Promise<void> {
  switch (kind) {
    case 'merge':
      return ctx.enqueue('merge', 'change-request.merge', { attempt_id: id })
    case 'edit':
      return ctx.enqueue('merge', 'manifest.edit', { attempt_id: id })
    case 'fire':
      await triggerFires.hasten(ctx.db, id, ctx.now())
      return notifySchedulers(ctx, project_id)
    default:
      return ctx.enqueue('session', jobs[kind], { session_id: id })
  }
}
