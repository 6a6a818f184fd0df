import type { ConnectorOutcome } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { OperationError, ReportedFailure } from '../../failures.ts'
import { oneLine, plain } from '../../output/plain.ts'
import type { JsonFlag } from '../flags.ts'
import type { NamedAction } from './action-argument.ts'

type NotDone = Extract<ConnectorOutcome, { ok: false }>

/** Prints a result, or the id of a call that is pending. Any other end fails with the reason, and with what to do. */
export function printOutcome(
  { out }: Pick<Cli, 'out'>,
  outcome: ConnectorOutcome,
  named: NamedAction,
  { json }: JsonFlag,
): void {
  if (json) out.json(outcome)
  if (outcome.ok) {
    if (json) return
    out.line(plain(JSON.stringify(outcome.data, null, 2)))
    if (outcome.truncated) out.note('The result was too long, and is cut.')
    return
  }
  if (outcome.status !== 'pending') throw failureOf(outcome, named, json)
  if (json) return
  out.line(outcome.call_id ?? '')
  out.note(oneLine(outcome.message))
  if (outcome.approval_url !== undefined) out.note(`A person decides at ${oneLine(outcome.approval_url)}`)
  if (outcome.call_id !== undefined) out.note(`svc connectors result ${outcome.call_id} --wait`)
}

function failureOf(outcome: NotDone, named: NamedAction, json: true | undefined): Error {
  const { message, reason, issues = [], data } = outcome
  if (json) return new ReportedFailure(message)
  const lines = [
    `${message} (${reason})`,
    ...issues.map(({ path, message: wrong }) => `  ${path}: ${wrong}`),
    ...(data === undefined ? [] : [`  the service said: ${JSON.stringify(data)}`]),
  ]
  return new OperationError(lines.join('\n'), nextOf(outcome, named))
}

function nextOf({ reason, connect_url }: NotDone, { connector, action }: NamedAction): string | undefined {
  switch (reason) {
    case 'connector_not_found':
      return '`svc connectors ls` lists those of the project'
    case 'action_not_found':
      return `\`svc connectors tools --connector ${connector}\` lists its actions`
    case 'invalid_arguments':
      return `\`svc connectors tools ${action} --connector ${connector} --json\` shows the schema`
    case 'policy_block':
      return `\`svc connectors policies test ${connector}.${action}\` shows the rule`
    case 'connector_not_connected':
    case 'connection_expired':
    case 'connector_changed':
      return `svc connectors connect ${connector}${connect_url === undefined ? '' : `, or open ${connect_url}`}`
    case 'connector_unusable':
      return `svc connectors sync ${connector}`
    case 'outcome_unknown':
      return 'look in the other service; `svc connectors log` shows the call'
    default:
      return undefined
  }
}
