import type { Trigger, TriggerProposal } from '@svc/sdk'
import type { Cli } from '../../cli.ts'

/** Says where an edit waits for a person, as one that a session asks for does; false for one that is made. */
export function printedProposal(
  cli: Pick<Cli, 'out'>,
  answer: Trigger | TriggerProposal | null,
): answer is TriggerProposal {
  if (answer === null || !('change_request' in answer)) return false
  const { number, title } = answer.change_request
  cli.out.line(`Opened change request #${number}: ${title}`)
  cli.out.note('The trigger changes once a person merges it.')
  return true
}
