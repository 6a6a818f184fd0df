import { requireProject } from '@svc/context'
import { callLog, priceCards } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { readBodies, type ReadingBodies } from '../bodies/read.ts'
import { priceSource } from './price-source.ts'

/** A model call with the card that its cost comes from, and its bodies where they are kept. */
export async function getCall(
  ctx: ReadingBodies,
  { project_id, call_id }: { readonly project_id: string; readonly call_id: string },
) {
  await requireProject(ctx, project_id, 'project.gateway.logs.read')
  const call = await callLog.find(ctx.db, project_id, call_id)
  if (call === undefined)
    throw new ServiceError('not_found', 'There is no such call in the log of this project; list its calls')
  const { price_id } = call
  const bodies = await readBodies(ctx, call)
  const card = price_id === null ? undefined : await priceCards.find(ctx.db, price_id)
  if (price_id === null || card === undefined) return { ...call, price: null, bodies }
  const source = await priceSource(ctx.db, call, card)
  return { ...call, price: { price_id, source, card }, bodies }
}
