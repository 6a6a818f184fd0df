import { counted, usd } from '@svc/facts'
import type { Client, Spend, SpendQuery } from '@svc/sdk'
import type { PlatformSpendQuery } from '@svc/sdk/admin'
import type { Command } from 'commander'
import { pipeline } from 'node:stream/promises'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export interface SpendFlags extends JsonFlag {
  readonly by: string
  readonly since?: string
  readonly until?: string
  readonly csv?: true
}

interface PlaceFlags extends SpendFlags, ProjectFlag {
  readonly account?: string | true
}

export const spend: Configure = (command, cli) => {
  projectFlag(spendFlags(command))
    .option('--account [id]', 'of a whole account instead; without an id your first one')
    .action(async (flags: PlaceFlags) => {
      const { account, project } = flags
      if (account === undefined) {
        const { client, project_id } = await cli.project(project)
        return printSpend(cli, flags, placeApi(client.projects.gateway.spend, project_id))
      }
      const { client, account_id } = await accountOf(cli, account === true ? undefined : account)
      return printSpend(cli, flags, placeApi(client.accounts.gateway.spend, account_id))
    })
}

export function spendFlags(command: Command): Command {
  return jsonFlag(command)
    .option('--by <groups>', 'with commas: day, model, provider, agent, session, trigger, key', 'day')
    .option('--since <day>', 'the first day, in UTC; else 31 days until the last one')
    .option('--until <day>', 'the last day; else today')
    .option('--csv', 'as CSV')
}

/** The ways to ask one place for what it spent. */
export interface SpendApi {
  get(query: SpendQuery): Promise<Spend>
  csv(query: SpendQuery): ReturnType<Client['projects']['gateway']['spend']['csv']>
}

function placeApi(api: Client['projects']['gateway']['spend'], id: string): SpendApi {
  return { get: (query) => api.get(id, query), csv: (query) => api.csv(id, query) }
}

/** Prints the rows by their groups, and the sum. */
export async function printSpend(
  cli: Cli,
  { by, since, until, csv, json }: SpendFlags,
  api: SpendApi,
): Promise<void> {
  const query: SpendQuery & PlatformSpendQuery = {
    group_by: by,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
  if (csv) {
    const { body } = await api.csv(query)
    if (body !== null) await pipeline(body, cli.io.stdout, { end: false })
    return
  }
  const answer = await api.get(query)
  if (json) return cli.out.json(answer)
  const { rows, total } = answer
  if (rows.length === 0) return cli.out.note(`Nothing was spent from ${answer.since} to ${answer.until}.`)
  const groups = Object.keys(rows[0] ?? {}).filter((name) => by.split(',').includes(name))
  cli.out.table(
    [
      ...groups.map((name) => ({ header: name.toUpperCase(), flexible: true })),
      ...[{ header: 'CALLS' }, { header: 'IN', optional: true }, { header: 'OUT', optional: true }],
      ...[{ header: 'COST' }, { header: 'BILLED', optional: true }],
    ],
    rows.map((row) => [
      ...groups.map((name) => oneLine(String(Object.entries(row).find(([key]) => key === name)?.[1] ?? '-'))),
      ...[String(row.calls), String(row.input_tokens), String(row.output_tokens)],
      ...[usd(row.cost_micros), usd(row.billed_micros)],
    ]),
  )
  const unpriced =
    total.unpriced_calls === 0 ? '' : `; ${counted(total.unpriced_calls, 'call')} without a price`
  cli.out.note(
    `${usd(total.cost_micros)} for ${counted(total.calls, 'call')} from ${answer.since} to ${answer.until}${unpriced}`,
  )
}
