import type { Client } from '@svc/sdk'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'

export interface AccountFlag {
  readonly account?: string
}

export function accountFlag(command: Command): Command {
  return command.option('--account <id>', 'the account; else your first one')
}

/** The account that a call is about. */
export async function accountOf(
  cli: Cli,
  flag: string | undefined,
): Promise<{ client: Client; account_id: string }> {
  const { client } = await cli.connect()
  return { client, account_id: flag ?? (await client.me()).account_id }
}
