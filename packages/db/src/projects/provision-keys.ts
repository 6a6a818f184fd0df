import type { Db } from '../database.ts'

/** The idempotency key of a call that makes a project. */
export interface ProvisionKey {
  readonly account_id: string
  readonly idempotency_key: string
}

/** Takes the key for this call, or says who has it. A key whose provisioning died is free again after `stale_before`. */
export async function claim(
  db: Db,
  key: ProvisionKey,
  now: Date,
  stale_before: Date,
): Promise<{ kind: 'claimed' } | { kind: 'in_flight' } | { kind: 'done'; project_id: string }> {
  const claimed = await db
    .insertInto('provision_keys')
    .values({ ...key, project_id: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'idempotency_key'])
        .doUpdateSet({ created_at: now })
        .where('provision_keys.project_id', 'is', null)
        .where('provision_keys.created_at', '<', stale_before),
    )
    .returning('idempotency_key')
    .executeTakeFirst()
  if (claimed) return { kind: 'claimed' }
  const row = await db
    .selectFrom('provision_keys')
    .select('project_id')
    .where('account_id', '=', key.account_id)
    .where('idempotency_key', '=', key.idempotency_key)
    .executeTakeFirst()
  return row?.project_id ? { kind: 'done', project_id: row.project_id } : { kind: 'in_flight' }
}

/** Says which project the key made, in the transaction that makes it. */
export async function finish(tx: Db, key: ProvisionKey, project_id: string): Promise<void> {
  await tx
    .updateTable('provision_keys')
    .set({ project_id })
    .where('account_id', '=', key.account_id)
    .where('idempotency_key', '=', key.idempotency_key)
    .execute()
}

/** Frees the key of a call that failed. */
export async function release(db: Db, key: ProvisionKey): Promise<void> {
  await db
    .deleteFrom('provision_keys')
    .where('account_id', '=', key.account_id)
    .where('idempotency_key', '=', key.idempotency_key)
    .where('project_id', 'is', null)
    .execute()
}
