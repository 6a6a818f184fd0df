import type { BaseContext } from '@svc/context'
import { callBodies } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import type { KeySealer } from '@svc/vault'
import { type Bodies, type BodiesOf, objectKey, sealedFor } from './object.ts'

const dayMs = 24 * 3_600_000

/** Keeps request and answer of a call for so many days, sealed with the gateway's key. */
export async function keepBodies(
  ctx: Pick<BaseContext, 'db' | 'now'> & {
    readonly objects: Pick<ObjectStore, 'put'>
    readonly sealer: KeySealer
  },
  call: BodiesOf,
  { days, ...bodies }: Bodies & { readonly days: number },
): Promise<void> {
  const { project_id, call_id } = call
  const kept_until = new Date(ctx.now().getTime() + days * dayMs)
  await callBodies.insert(ctx.db, { project_id, call_id, kept_until })
  const sealed = ctx.sealer.seal(sealedFor(call), JSON.stringify(bodies))
  await ctx.objects.put(objectKey(call), Buffer.from(sealed))
}
