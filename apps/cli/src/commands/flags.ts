import { type Command, InvalidArgumentError } from 'commander'

export interface JsonFlag {
  readonly json?: true
}

export interface ProjectFlag {
  readonly project?: string
}

/** `--json` prints what the API answered. */
export function jsonFlag(command: Command): Command {
  return command.option('--json', "print the API's answer as JSON")
}

export function projectFlag(command: Command): Command {
  return command.option(
    '--project <id-or-slug>',
    'the project; else SVC_PROJECT_ID, or the link of this folder',
  )
}

/** A number from 1 on, of a flag. */
export function positive(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new InvalidArgumentError('give a number from 1 on.')
  return Number(text)
}

/** The rows of a list, of a flag. */
export function pageSize(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 200) return value
  throw new InvalidArgumentError('It must be a whole number from 1 to 200.')
}

/** Every value of a flag that may be given again. */
export const repeated = (value: string, before: readonly string[] = []): string[] => [...before, value]
