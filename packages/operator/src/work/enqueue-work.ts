import type { WorkKind } from '@svc/db'
import type { Changing } from '../context.ts'

const jobs = {
  provision: 'sandbox.provision',
  deliver: 'prompts.deliver',
  stop: 'sandbox.stop',
  destroy: 'sandbox.destroy',
  secrets: 'sandbox.secrets',
  check: 'sandbox.check',
} as const

/** Kinds of work that a session asks for; a look at its sandbox is never owed. */
export type SessionWork = keyof typeof jobs

/** Asks a worker for it, by the job that its sweep would make. */
export async function enqueueWork(
  ctx: Pick<Changing, 'enqueue'>,
  { kind, id }: { readonly kind: WorkKind | 'check'; readonly id: string },
): Promise<void> {
  switch (kind) {
    case 'merge':
      return ctx.enqueue('merge', 'change-request.merge', { attempt_id: id })
    case 'edit':
      return ctx.enqueue('merge', 'manifest.edit', { attempt_id: id })
    default:
      return ctx.enqueue('session', jobs[kind], { session_id: id })
  }
}
