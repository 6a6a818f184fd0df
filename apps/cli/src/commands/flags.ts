import type { Command } from 'commander'

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
