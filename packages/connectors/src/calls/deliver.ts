import type { BaseContext } from '@svc/context'
import { connectorCalls, type ConnectorCallRow, type Db, type ProjectRow, sessions } from '@svc/db'
import { type OwedJob, putPrompt } from '@svc/services'
import { cutUtf8, outsideNotice } from '@svc/trigger'
import { type CallResult, outcomeOf } from './outcome.ts'
import { openBody } from './sealed.ts'

/** The longest message that carries a result. */
const messageBytes = 200 * 1024

type DeliverContext = Pick<
  BaseContext,
  'now' | 'newId' | 'settings' | 'maintenance' | 'metrics' | 'traceparent' | 'vault'
>

/**
 * Sends the end of a call to the session that asked for it, in the transaction that writes that end, or that finds it owed. It
 * is sent once; the jobs are owed once the transaction has ended.
 */
export async function deliverLocked(
  ctx: DeliverContext,
  tx: Db,
  project: ProjectRow,
  row: ConnectorCallRow,
  why: 'ended' | 'settled',
): Promise<readonly OwedJob[]> {
  const { call_id, session_id, project_id } = row
  if (session_id === null) return []
  const session = await sessions.find(tx, { project_id, session_id })
  if (session === undefined) return []
  const put = await putPrompt(ctx, tx, session, {
    text: messageOf(ctx, project, row, why),
    source: 'connector',
    dedupe_key: `connector-call:${call_id}${why === 'settled' ? ':settled' : ''}`,
    by: row.actor.user_id,
    without_room: 'keep',
  })
  await connectorCalls.markDelivered(tx, call_id, 'prompt', ctx.now())
  return put.kind === 'put' ? put.jobs : []
}

/** The message: what was asked for and how it ended, and below it, marked as data from outside, the result. */
function messageOf(
  ctx: Pick<DeliverContext, 'vault'>,
  project: ProjectRow,
  row: ConnectorCallRow,
  why: 'ended' | 'settled',
): string {
  const { call_id, slug, action, sealed_result } = row
  const result =
    sealed_result === null ? null : (openBody(ctx, project, row, 'result', sealed_result) as CallResult)
  const outcome = outcomeOf(row, { result: null, approval: undefined, approval_url: '' })
  // It was being written when its connection or its process ended: how much of it came is not known here.
  const again =
    why === 'ended' && row.delivery === 'inline'
      ? ' If you have this answer already, there is nothing more to do.'
      : ''
  const head = `Your connector call ${slug}.${action} (call_id ${call_id}) ${why === 'settled' ? 'was settled' : 'has ended'}: ${
    outcome.ok ? 'done' : `${outcome.reason}. ${outcome.message}`
  }.${again}`
  const outside = why === 'settled' ? '' : outsideWords(result)
  if (outside === '') return head
  const note = `\n\n[Cut here; the tool \`result\` with call_id ${call_id} has the whole.]`
  const text = `${head}\n\n${outsideNotice}${outside}`
  const bytes = Buffer.from(text)
  if (bytes.length <= messageBytes) return text
  return cutUtf8(bytes, messageBytes - Buffer.byteLength(note)) + note
}

/** The answer of the service, and its words on a failure. */
function outsideWords(result: CallResult | null): string {
  const { message, data } = result ?? {}
  const shown = data === undefined || data === null ? undefined : JSON.stringify(data, null, 2)
  return [message, shown].filter((part) => part !== undefined).join('\n\n')
}
