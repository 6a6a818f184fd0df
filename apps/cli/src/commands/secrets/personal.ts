import type { Client } from '@svc/sdk'
import type { Command } from 'commander'

export interface PersonalFlag {
  readonly personal?: true
}

export function personalFlag(command: Command): Command {
  return command.option('--personal', 'your own: for the sessions that you start yourself alone')
}

/** The project's secrets, or the person's own. */
export function of({ projects }: Client, { personal }: PersonalFlag) {
  return personal ? projects.secrets.personal : projects.secrets
}
