import { budgetLevels, budgetModes, budgetPeriods, usd } from '@svc/facts'
import type { Budget, Budgets, CreateBudgetInput } from '@svc/sdk'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { cap } from '../micros.ts'

interface PlaceFlags extends JsonFlag, ProjectFlag {
  readonly account?: string | true
}

interface SetFlags extends PlaceFlags {
  readonly cap?: number
  readonly level?: CreateBudgetInput['level']
  readonly subject?: string
  readonly period?: NonNullable<CreateBudgetInput['period']>
  readonly mode?: NonNullable<CreateBudgetInput['mode']>
  readonly name?: string
}

export const budgets: Configure = (group, cli) => {
  placeFlags(jsonFlag(group.command('ls').description('caps, and what is spent and held of them'))).action(
    async (flags: PlaceFlags) => {
      const { api, id } = await placeOf(cli, flags)
      const list = await api.list(id)
      if (flags.json) return cli.out.json(list)
      if (list.length === 0) return cli.out.note('No budgets. Set one: svc gateway budgets set --cap 5.00')
      show(cli, list)
    },
  )

  placeFlags(jsonFlag(group.command('set').description('set a budget, or change one')))
    .argument('[budget-id]', 'the budget to change; else a new one')
    .option('--cap <usd>', 'US dollars, such as 5.00; 0 closes', cap)
    .addOption(
      new Option('--level <level>', 'what it is of; else the whole project, or account').choices(
        budgetLevels,
      ),
    )
    .option('--subject <id-or-name>', 'a session, trigger, agent or key; else each of them by itself')
    .addOption(
      new Option('--period <period>', 'when it begins anew, in UTC; else day').choices(budgetPeriods),
    )
    .addOption(new Option('--mode <mode>', 'alert refuses nothing; else block').choices(budgetModes))
    .option('--name <name>', 'for people')
    .action(async (budget_id: string | undefined, flags: SetFlags) => {
      const { api, id, level: whole } = await placeOf(cli, flags)
      const { json, cap: cap_micros, level = whole, subject, period, mode, name } = flags
      const plain = { ...(mode && { mode }), ...(name !== undefined && { name }) }
      if (budget_id !== undefined) {
        if (flags.level || subject !== undefined || period)
          throw new UsageError('a budget keeps its level, subject and period; remove it and set another')
        const change = { ...plain, ...(cap_micros !== undefined && { cap_micros }) }
        const budget = await api.update(id, budget_id, change)
        return json ? cli.out.json(budget) : said(cli, budget)
      }
      if (cap_micros === undefined) throw new UsageError('say how much: --cap 5.00')
      const budget = await api.create(id, {
        ...{ ...plain, level, cap_micros, period: period ?? (level === 'call' ? 'call' : 'day') },
        ...(subject !== undefined && { subject }),
      })
      return json ? cli.out.json(budget) : said(cli, budget)
    })

  placeFlags(group.command('rm').description('remove budgets: they bound no call any more'))
    .argument('<budget-id...>')
    .action(async (ids: string[], flags: PlaceFlags) => {
      const { api, id } = await placeOf(cli, flags)
      for (const one of ids) {
        await api.delete(id, one)
        cli.out.line(`Removed ${one}`)
      }
    })
}

function placeFlags(command: Command): Command {
  return projectFlag(command).option(
    '--account [id]',
    'of an account itself instead; without an id your first one',
  )
}

async function placeOf(
  cli: Cli,
  { account, project }: PlaceFlags,
): Promise<{ readonly api: Budgets; readonly id: string; readonly level: 'account' | 'project' }> {
  if (account === undefined) {
    const { client, project_id } = await cli.project(project)
    return { api: client.projects.gateway.budgets, id: project_id, level: 'project' }
  }
  const { client, account_id } = await accountOf(cli, account === true ? undefined : account)
  return { api: client.accounts.gateway.budgets, id: account_id, level: 'account' }
}

function said(cli: Cli, { name, cap_micros, mode, budget_id }: Budget): void {
  cli.out.line(`${oneLine(name)}: ${usd(cap_micros)} (${mode}), ${budget_id}`)
}

function show(cli: Cli, list: readonly Budget[]): void {
  cli.out.table(
    [
      { header: 'NAME', flexible: true },
      { header: 'OF', flexible: true },
      { header: 'PERIOD' },
      { header: 'SPENT' },
      { header: 'HELD', optional: true },
      { header: 'CAP' },
      { header: 'RESETS', optional: true },
      { header: 'MODE', optional: true },
      { header: 'ID' },
    ],
    list.map(({ name, level, subject, period, windows, cap_micros, mode, budget_id }) => {
      // Of a budget for each of many, the fullest window says most.
      const [fullest] = windows
      return [
        oneLine(name),
        oneLine(subject === null ? level : `${level} ${subject}`),
        period,
        usd(fullest?.spent_micros ?? 0),
        usd(fullest?.held_micros ?? 0),
        usd(cap_micros),
        fullest?.resets_at ?? '-',
        mode,
        budget_id,
      ]
    }),
  )
}
