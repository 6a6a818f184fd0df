import { counted, entitlements, planBillings, planGateways, usd } from '@svc/facts'
import type { Plan, PutPlan } from '@svc/sdk/admin'
import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, positive } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { cap } from '../micros.ts'
import { adminClient } from './admin-client.ts'
import { showPage } from './list-command.ts'

interface SetFlags extends JsonFlag {
  readonly entitlements?: PutPlan['entitlements']
  readonly sessionCap?: number
  readonly gateway?: PutPlan['gateway']
  readonly billing?: PutPlan['billing']
  readonly monthlyCredit?: number
  readonly markup?: number
}

export const plans: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('the smallest first')).action(async ({ json }: JsonFlag) =>
    showPage(cli, { ...(json && { json }) }, (await adminClient(cli)).plans(), {
      columns: [
        { header: 'PLAN' },
        { header: 'SESSIONS' },
        { header: 'MODELS' },
        { header: 'BILLING' },
        { header: 'MONTHLY', optional: true },
        { header: 'MARKUP', optional: true },
        { header: 'ENTITLEMENTS', flexible: true },
      ],
      cells: (one) => [
        one.tier,
        String(one.session_cap),
        one.gateway,
        one.billing,
        usd(one.monthly_credit_micros),
        `${one.markup_percent} %`,
        one.entitlements.join(' '),
      ],
      none: 'No plans.',
    }),
  )

  jsonFlag(group.command('set').description('make a plan, or change one; what is left out stays'))
    .argument('<plan>')
    .option('--entitlements <names>', `with commas: ${entitlements.join(', ')}; "none" for none`, names)
    .option('--session-cap <count>', 'live sessions at a time', positive)
    .addOption(
      new Option('--gateway <use>', 'no models, those of own keys, or the operator’s too').choices(
        planGateways,
      ),
    )
    .addOption(new Option('--billing <how>', 'what pays for the operator’s models').choices(planBillings))
    .option('--monthly-credit <usd>', 'granted with the first call of a month', cap)
    .option('--markup <percent>', 'added to the cost of a call that credit pays', percent)
    .action(async (tier: string, flags: SetFlags) => {
      const admin = await adminClient(cli)
      const before = (await admin.plans()).find((plan) => plan.tier === tier)
      const plan = await admin.putPlan(tier, merged(before, flags))
      if (flags.json) return cli.out.json(plan)
      cli.out.line(
        `${tier}: ${counted(plan.session_cap, 'session')}, models ${plan.gateway}, billing ${plan.billing}`,
      )
    })

  group
    .command('rm')
    .description('remove a plan that no account has')
    .argument('<plan>')
    .action(async (tier: string) => {
      await (await adminClient(cli)).deletePlan(tier)
      cli.out.line(`Removed ${tier}`)
    })
}

function merged(before: Plan | undefined, flags: SetFlags): PutPlan {
  const { tier: _, ...row } = before ?? { tier: '', ...empty }
  const session_cap = flags.sessionCap ?? before?.session_cap
  if (session_cap === undefined) throw new UsageError('a new plan needs --session-cap <n>')
  return {
    ...row,
    session_cap,
    ...(flags.entitlements && { entitlements: flags.entitlements }),
    ...(flags.gateway && { gateway: flags.gateway }),
    ...(flags.billing && { billing: flags.billing }),
    ...(flags.monthlyCredit !== undefined && { monthly_credit_micros: flags.monthlyCredit }),
    ...(flags.markup !== undefined && { markup_percent: flags.markup }),
  }
}

const empty: Omit<PutPlan, 'session_cap'> = {
  entitlements: [],
  gateway: 'own_keys',
  billing: 'none',
  monthly_credit_micros: 0,
  markup_percent: 0,
}

function names(text: string): PutPlan['entitlements'] {
  if (text === 'none') return []
  return text.split(',').map((name) => {
    const known = entitlements.find((one) => one === name)
    if (known === undefined) throw new InvalidArgumentError(`It must be some of ${entitlements.join(', ')}.`)
    return known
  })
}

function percent(text: string): number {
  const value = Number(text)
  if (text !== '' && Number.isInteger(value) && value >= 0 && value <= 1000) return value
  throw new InvalidArgumentError('It must be a whole number from 0 to 1000.')
}
