import type { InboxApproval } from '@svc/context'
import type { ConnectorContext } from '../context.ts'
import { decideApproval } from './decide.ts'

/** Approves a call that the inbox names, by the verb of its own route: `version` is the digest of what the inbox showed. */
export const callApproval =
  ({
    executor,
    connector_settings,
  }: Pick<ConnectorContext, 'executor' | 'connector_settings'>): InboxApproval =>
  async (ctx, { project_id, id, version }) => {
    await decideApproval(
      { ...ctx, executor, connector_settings },
      { project_id, call_id: id, decision: 'approve', digest: version },
    )
  }
