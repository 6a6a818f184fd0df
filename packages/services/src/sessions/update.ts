import { jsonb, sessions } from '@svc/db'
import type { Context } from '../context.ts'
import { getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'

export interface UpdateSessionInput extends SessionInput {
  readonly name?: string | null | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly labels?: string[] | undefined
}

export async function updateSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: UpdateSessionInput,
) {
  await requireSession(ctx, input, 'project.session.start')
  await sessions.patch(ctx.db, input, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.metadata === undefined ? {} : { metadata: jsonb(input.metadata) }),
    ...(input.labels === undefined ? {} : { labels: input.labels }),
    updated_at: ctx.now(),
  })
  return presentSession(await getSessionRow(ctx, input))
}
