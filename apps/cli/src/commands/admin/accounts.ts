import { counted, usd } from '@svc/facts'
import type { OperatedAccount, UpdateOperatedAccount } from '@svc/sdk/admin'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Cli } from '../../cli.ts'
import type { Configure } from '../groups.ts'
import { accountFeatures } from './account-features.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

interface Filter {
  readonly q?: string
  readonly tier?: string
}

/** Commander takes null for no value. */
type Limit = number | 'none'

type BillingChange = NonNullable<UpdateOperatedAccount['billing_state']>

interface SetFlags extends JsonFlag {
  readonly tier?: string
  readonly liveSessions?: Limit
  readonly projects?: Limit
  readonly storageMb?: Limit
  readonly billing?: BillingChange
}

const billingOption = () =>
  new Option('--billing <state>', 'whether its credit pays').choices(['active', 'past_due', 'canceled'])

export const accounts: Configure = (group, cli) => {
  listFlags(group.command('ls').description('by name'))
    .option('--q <text>', 'an id, a part of the name, or the address of a member')
    .option('--tier <plan>', 'only those of this plan')
    .action(async ({ json, ...query }: ListFlags & Filter) => {
      const admin = await adminClient(cli)
      await showPage(cli, { ...(json && { json }) }, admin.accounts(query), {
        columns: [
          { header: 'NAME', flexible: true },
          { header: 'PLAN' },
          { header: 'MEMBERS', optional: true },
          { header: 'PROJECTS' },
          { header: 'LIVE' },
          { header: 'SUSPENDED', optional: true },
          { header: 'ID' },
        ],
        cells: (one) => [
          oneLine(one.name),
          one.tier,
          String(one.members),
          share(one.projects, one.limits.projects),
          share(one.live_sessions, one.limits.live_sessions),
          one.suspended_at,
          one.account_id,
        ],
        none: 'No such accounts.',
      })
    })

  jsonFlag(group.command('show').description('what it has, and what it may have'))
    .argument('<account-id>')
    .action(async (id: string, flags: JsonFlag) =>
      show(cli, flags, await (await adminClient(cli)).account(id)),
    )

  limitFlags(jsonFlag(group.command('set').description('change the plan or the limits')))
    .argument('<account-id>')
    .option('--tier <plan>', 'the plan: svc admin plans ls')
    .addOption(billingOption())
    .action(async (id: string, { json, tier, billing, liveSessions, projects, storageMb }: SetFlags) => {
      const limits = {
        ...(liveSessions !== undefined && { live_sessions: orNull(liveSessions) }),
        ...(projects !== undefined && { projects: orNull(projects) }),
        ...(storageMb !== undefined && { storage_mb: orNull(storageMb) }),
      }
      const changes = {
        ...(tier && { tier }),
        ...(billing && { billing_state: billing }),
        ...(Object.keys(limits).length > 0 && { limits }),
      }
      await update(cli, id, { ...(json && { json }) }, changes)
    })

  jsonFlag(
    group.command('suspend').description('reading works, everything else is refused; sandboxes are stopped'),
  )
    .argument('<account-id>')
    .option('--reason <text>', 'for those who are refused')
    .action(async (id: string, { reason, ...flags }: JsonFlag & { readonly reason?: string }) =>
      update(cli, id, flags, { suspended: true, ...(reason !== undefined && { suspended_reason: reason }) }),
    )

  jsonFlag(group.command('resume').description('end a suspension'))
    .argument('<account-id>')
    .action(async (id: string, flags: JsonFlag) => update(cli, id, flags, { suspended: false }))

  accountFeatures(
    group.command('features').description('what its projects have, unless they say otherwise'),
    cli,
  )
}

function limitFlags(command: Command): Command {
  return command
    .option('--live-sessions <count>', 'at a time; "none" falls back to the plan', limit)
    .option('--projects <count>', 'active ones; "none" for no limit', limit)
    .option('--storage-mb <count>', 'of repositories; "none" for no limit', limit)
}

async function update(cli: Cli, id: string, flags: JsonFlag, changes: UpdateOperatedAccount): Promise<void> {
  show(cli, flags, await (await adminClient(cli)).updateAccount(id, changes))
}

function show(cli: Cli, { json }: JsonFlag, account: OperatedAccount): void {
  if (json) return cli.out.json(account)
  const { name, account_id, tier, members, projects, live_sessions, limits, features } = account
  const { balance, billing_state, month_cost_micros } = account
  cli.out.line(`${oneLine(name)} (${account_id}), plan ${tier}`)
  if (account.suspended_at !== null)
    cli.out.line(
      `Suspended since ${account.suspended_at}: ${oneLine(account.suspended_reason ?? 'no reason given')}`,
    )
  cli.out.line(
    [
      counted(members, 'member'),
      shareOf(projects, limits.projects, 'project'),
      shareOf(live_sessions, limits.live_sessions, 'live session'),
    ].join(', '),
  )
  cli.out.line(
    `${usd(month_cost_micros)} spent on models this month, ${balance === null ? 'no credit' : `${usd(balance)} of credit (${billing_state})`}`,
  )
  if (limits.storage_mb !== null) cli.out.line(`Repositories may hold ${limits.storage_mb} MB`)
  for (const [feature, enabled] of Object.entries(features))
    if (enabled !== null) cli.out.line(`${feature} is ${enabled ? 'on' : 'off'}`)
}

const share = (count: number, max: number | null): string => (max === null ? `${count}` : `${count}/${max}`)

const shareOf = (count: number, max: number | null, noun: string): string =>
  max === null ? counted(count, noun) : `${count}/${counted(max, noun)}`

const orNull = (limit: Limit): number | null => (limit === 'none' ? null : limit)

function limit(text: string): Limit {
  if (text === 'none') return text
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  throw new InvalidArgumentError('It must be a whole number, or none.')
}
