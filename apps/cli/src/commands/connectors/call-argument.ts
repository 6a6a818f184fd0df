import type { Command } from 'commander'
import { isUuid } from '../../config/project.ts'
import { UsageError } from '../../failures.ts'

export function callArgument(command: Command): Command {
  return command.argument('<call_id>', 'as svc connectors call printed it')
}

export function callId(given: string): string {
  if (isUuid(given)) return given
  throw new UsageError(`${given} is not a call`, 'give its call_id, as svc connectors log lists it')
}
