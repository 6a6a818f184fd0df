import type { Command } from 'commander'
import { isUuid } from '../../config/project.ts'
import { UsageError } from '../../failures.ts'

export function crArgument(command: Command): Command {
  return command.argument('<cr>', 'number (3 or #3) or cr_id')
}

/** A change request as the API addresses it: the number within the project, or the uuid. */
export function crId(given: string): string {
  const number = /^#?([1-9][0-9]{0,8})$/.exec(given)?.[1]
  if (number !== undefined) return number
  if (isUuid(given)) return given
  throw new UsageError(`${given} is not a change request`, 'give its number, such as 3 or #3, or its cr_id')
}
