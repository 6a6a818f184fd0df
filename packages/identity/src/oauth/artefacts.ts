import { createHmac } from 'node:crypto'
import { tokenHash } from '@svc/context'
import { oauth, type OAuthArtefactRow, type OAuthModel } from '@svc/db'
import { z } from 'zod'
import type { OAuthContext } from './context.ts'
import { endApproval } from './end-approval.ts'
import type { OAuthKeys } from './keys.ts'

/** Data that the protocol looks up again, by ids that clients and browsers hold. */
export type Payload = Record<string, unknown>

const Known = z.looseObject({
  grantId: z.string().optional(),
  accountId: z.string().optional(),
  clientId: z.string().optional(),
  scope: z.string().optional(),
  uid: z.string().optional(),
  userCode: z.string().optional(),
})

export interface OAuthStore {
  put(model: OAuthModel, id: string, payload: Payload, seconds: number): Promise<void>
  find(model: OAuthModel, id: string): Promise<Payload | undefined>
  /** A session by its public id, a device code by what a person types. */
  findByLookup(model: OAuthModel, text: string): Promise<Payload | undefined>
  /** False when another request was first. */
  consume(model: OAuthModel, id: string): Promise<boolean>
  remove(model: OAuthModel, id: string): Promise<void>
  /** Called when a secret of the grant came a second time. */
  removeFamily(grant_id: string): Promise<void>
  /** False when the device asked again too soon. */
  notePoll(id: string): Promise<boolean>
}

/** Rows are found by hashes and hold sealed text: a copy of the database holds nothing that works. */
export function oauthStore(ctx: OAuthContext, keys: Pick<OAuthKeys, 'data_key' | 'lookup_key'>): OAuthStore {
  const { db, vault } = ctx
  const keyOf = (model: OAuthModel, id: string) => ({ model, id_hash: tokenHash(id) })
  const lookup = (text: string) => createHmac('sha256', keys.lookup_key).update(text).digest()
  const place = (model: string, id_hash: Buffer) => ['oauth', model, id_hash.toString('hex')]

  const open = (row: OAuthArtefactRow): Payload => {
    const text = vault.open(keys.data_key, place(row.model, row.id_hash), row.sealed)
    const consumed = row.consumed_at === null ? {} : { consumed: seconds(row.consumed_at) }
    const payload = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    return { ...payload, ...consumed, exp: seconds(row.expires_at) }
  }

  return {
    async put(model, id, payload, lifetime) {
      const { id_hash } = keyOf(model, id)
      const known = Known.parse(payload)
      const grant = model === 'Grant' ? id : known.grantId
      const found_by = known.userCode ?? (model === 'Session' ? known.uid : undefined)
      const now = ctx.now()
      await oauth.put(db, {
        artefact_id: ctx.newId(),
        model,
        id_hash,
        grant_hash: grant === undefined ? null : tokenHash(grant),
        lookup_hash: found_by === undefined ? null : lookup(found_by),
        user_id: known.accountId ?? null,
        client_id: known.clientId ?? null,
        scope: known.scope ?? null,
        sealed: vault.seal(keys.data_key, place(model, id_hash), JSON.stringify(payload)),
        polled_at: null,
        consumed_at: null,
        revoked_at: null,
        created_at: now,
        expires_at: new Date(now.getTime() + lifetime * 1000),
      })
    },
    async find(model, id) {
      const row = await oauth.find(db, keyOf(model, id))
      return row === undefined ? undefined : open(row)
    },
    async findByLookup(model, text) {
      const row = await oauth.findByLookup(db, model, lookup(text))
      return row === undefined ? undefined : open(row)
    },
    consume: (model, id) => oauth.consume(db, keyOf(model, id), ctx.now()),
    remove: (model, id) => oauth.remove(db, keyOf(model, id), ctx.now()),
    removeFamily: (grant_id) => endApproval(ctx, tokenHash(grant_id), 'reuse'),
    notePoll: (id) => oauth.notePoll(db, tokenHash(id), ctx.now()),
  }
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
