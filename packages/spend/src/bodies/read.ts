import { type Context, recordAudit } from '@svc/context'
import { callBodies, type ProjectRow, projects } from '@svc/db'
import { readObject } from '@svc/objects'
import { VaultError } from '@svc/vault'
import { Bodies, type BodiesOf, objectKey, sealedFor } from './object.ts'

const hidden = '***'

export type ReadingBodies = Pick<
  Context,
  'db' | 'now' | 'newId' | 'principal' | 'trail' | 'objects' | 'provider_sealer'
> & {
  /** The values that are hidden: all secrets of the project, the longest first. */
  readonly secretTexts: (project: ProjectRow) => Promise<readonly string[]>
}

/**
 * Request and answer of a call, with the values of the project's secrets hidden; null where none are kept, or where this
 * API has no key that opens them. Each reading is an audit event. The caller may read the log.
 */
export async function readBodies(
  ctx: ReadingBodies,
  call: BodiesOf & { readonly account_id: string; readonly session_id: string | null },
): Promise<Bodies | null> {
  const kept = await callBodies.find(ctx.db, call)
  if (kept === undefined || kept.kept_until <= ctx.now()) return null
  const object = await readObject(ctx.objects, objectKey(call))
  if (object === null) return null
  const bodies = opened(ctx, call, object.toString())
  const project = bodies && (await projects.find(ctx.db, call.project_id))
  if (!bodies || !project) return null
  const values = await ctx.secretTexts(project)
  const { account_id, project_id, session_id, call_id } = call
  await recordAudit(ctx, ctx.db, {
    ...{ account_id, project_id, session_id, action: 'readModelCallBodies' },
    ...{ target: `projects/${project_id}/gateway/logs/${call_id}`, details: { call_id } },
  })
  const masked = (text: string) => values.reduce((rest, value) => rest.replaceAll(value, hidden), text)
  return { ...bodies, request: masked(bodies.request), answer: masked(bodies.answer) }
}

function opened({ provider_sealer }: ReadingBodies, call: BodiesOf, sealed: string): Bodies | null {
  if (provider_sealer === undefined) return null
  try {
    return Bodies.parse(JSON.parse(provider_sealer.open(sealedFor(call), sealed)))
  } catch (error) {
    // Its key was replaced since.
    if (error instanceof VaultError) return null
    throw error
  }
}
