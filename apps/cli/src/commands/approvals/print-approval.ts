import type { Approval } from '@svc/sdk'
import type { Output } from '../../output/output.ts'
import { visible } from '../../output/plain.ts'

/** Everything that is decided on. Characters that cannot be seen are written out: nothing hides in an argument. */
export function printApproval(out: Output, approval: Approval): void {
  const { connection, rule, requested_by } = approval
  out.fields([
    ['call', approval.call_id],
    ['status', approval.status],
    ['action', visible(`${approval.connector}.${approval.action}`)],
    ['risk', approval.risk],
    ['address', visible(approval.address ?? 'none')],
    ['connection', connection === null ? 'none' : visible(`${connection.label} (${connection.scope})`)],
    ['asked by', approval.session_id === null ? requested_by.type : `session ${approval.session_id}`],
    ['rule', rule === null ? null : ruleText(rule)],
    ['second person', approval.second_person ? 'required' : null],
    ['expires', approval.expires_at],
    ['digest', approval.digest],
    ['decision', approval.decision],
    ['decided', approval.decided_at],
    ['message', approval.message && visible(approval.message)],
    ['outcome', approval.status === 'pending' ? null : outcomeText(approval.outcome)],
  ])
  out.line('\nArguments:')
  out.line(
    approval.args_text === null ? 'erased, after its result was delivered' : visible(approval.args_text),
  )
}

function ruleText({ source, index, match }: NonNullable<Approval['rule']>): string {
  if (source === 'changed') return 'the action changed since it was accepted'
  return source === 'default' ? 'the default of the connector' : visible(`${index ?? ''} ${match ?? ''}`)
}

function outcomeText({ status, reason }: Approval['outcome']): string {
  return reason === null ? status : `${status} (${reason})`
}
