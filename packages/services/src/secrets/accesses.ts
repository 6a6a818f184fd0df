import { type Context, decodeCursor, encodeCursor, requireActor, requireProject } from '@svc/context'
import { type SecretAccessRow, secretAccesses } from '@svc/db'
import { z } from 'zod'

export interface SecretAccessInput {
  readonly project_id: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly name?: string | undefined
  readonly session_id?: string | undefined
}

const Position = z.object({ at: z.coerce.date(), access_id: z.uuid() })

/** The secrets that each sandbox was given, by name; newest first. Personal names are shown to their person alone. */
export async function listSecretAccesses(ctx: Pick<Context, 'db' | 'principal'>, input: SecretAccessInput) {
  const { cursor, limit, ...filter } = input
  const before = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  await requireProject(ctx, input.project_id, 'project.secret.read')
  const user_id = requireActor(ctx)
  const rows = await secretAccesses.list(ctx.db, { ...filter, user_id, before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const next_cursor = last ? encodeCursor({ at: last.at, access_id: last.access_id }) : null
  return { accesses: page.map(presentAccess), next_cursor }
}

function presentAccess(row: SecretAccessRow) {
  const { access_id, at, session_id, agent_name, user_id, names, personal_names } = row
  return { access_id, at, session_id, agent_name, user_id, names, personal_names }
}
