import { usd } from '@svc/facts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { micros } from '../micros.ts'
import { adminClient } from './admin-client.ts'

interface AddFlags extends JsonFlag {
  readonly amount: number
  readonly reason: string
  readonly key?: string
}

export const credit: Configure = (group, cli) => {
  jsonFlag(group.command('add').description('add to the credit of an account, or take from it'))
    .argument('<account-id>')
    .requiredOption('--amount <usd>', 'US dollars, such as 50.00; below zero takes', micros)
    .requiredOption('--reason <text>', 'for the admins of the account')
    .option('--key <key>', 'the same key again adds nothing')
    .action(async (account_id: string, { json, amount, reason, key }: AddFlags) => {
      const entry = await (
        await adminClient(cli)
      ).addCredit(account_id, {
        ...{ amount_micros: amount, reason },
        ...(key !== undefined && { idempotency_key: key }),
      })
      if (json) return cli.out.json(entry)
      cli.out.line(
        `${usd(entry.amount_micros)} (${entry.kind}); the balance is ${usd(entry.balance_after_micros)}`,
      )
    })
}
