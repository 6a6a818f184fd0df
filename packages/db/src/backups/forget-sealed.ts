import type { Db } from '../database.ts'

const reason = 'The master key that sealed this was lost when the platform was restored'

/**
 * Takes away all that data keys sealed, as though it had never been given: nothing opens it any more. The rows that hold
 * the keys stay where people made them, and go where the platform makes new ones.
 */
export async function forgetSealed(tx: Db, now: Date): Promise<void> {
  const gone = [
    ...(['project_secrets', 'personal_secrets', 'user_totp', 'sign_in_codes', 'warm_sandboxes'] as const),
    ...(['oauth_artefacts', 'oauth_keys', 'notification_keys'] as const),
  ]
  for (const table of gone) await tx.deleteFrom(table).execute()
  await tx.updateTable('projects').set({ sealed_credential: null }).execute()
  await tx
    .updateTable('session_sandboxes')
    .set({ service_key_hash: null, sealed_service_key: null, sealed_edge: null, sealed_endpoint: null })
    .execute()
  await tx
    .updateTable('connector_connections')
    .set({ status: 'expired', sealed_credential: null, last_error: reason, updated_at: now })
    .where('sealed_credential', 'is not', null)
    .execute()
  await tx.updateTable('connector_calls').set({ sealed_request: null, sealed_result: null }).execute()
  // What would have been run is gone: the sweep ends them and tells their sessions.
  await tx
    .updateTable('connector_approvals')
    .set({ expires_at: now })
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .execute()
  await tx.updateTable('connector_oauth_clients').set({ sealed_secret: null }).execute()
  await tx
    .updateTable('project_channels')
    .set({ status: 'disconnected', sealed_credentials: null, disconnected_reason: reason, updated_at: now })
    .where('sealed_credentials', 'is not', null)
    .execute()
}
