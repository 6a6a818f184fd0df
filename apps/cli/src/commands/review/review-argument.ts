import type { Command } from 'commander'
import { isUuid } from '../../config/project.ts'
import { UsageError } from '../../failures.ts'

export function reviewArgument(command: Command): Command {
  return command.argument('<review_id>', 'as svc review ls lists it')
}

export function reviewId(given: string): string {
  if (isUuid(given)) return given
  throw new UsageError(`${given} is not a review item`, 'give its review_id, as svc review ls lists it')
}
