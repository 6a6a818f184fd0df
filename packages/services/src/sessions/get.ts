import type { Context } from '@svc/context'
import { requireSession, type SessionInput } from './find-session.ts'
import { shownSession } from './shown.ts'

export async function getSession(ctx: Pick<Context, 'db' | 'principal'>, input: SessionInput) {
  const { session } = await requireSession(ctx, input, 'project.session.read')
  return shownSession(ctx, session)
}
