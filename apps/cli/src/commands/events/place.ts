import type { Client, EventPlace } from '@svc/sdk'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { accountFlag, accountOf } from '../account.ts'
import { projectFlag } from '../flags.ts'

export interface PlaceFlags {
  readonly project?: string
  readonly account?: string
}

/** The events of a project that is named; else of the account. */
export function placeFlags(command: Command): Command {
  return accountFlag(projectFlag(command))
}

export async function placeOf(
  cli: Cli,
  flags: PlaceFlags,
): Promise<{ readonly client: Client; readonly place: EventPlace }> {
  if (flags.project !== undefined) {
    const { client, project_id } = await cli.project(flags.project)
    return { client, place: { project_id } }
  }
  const { client, account_id } = await accountOf(cli, flags.account)
  return { client, place: { account_id } }
}
