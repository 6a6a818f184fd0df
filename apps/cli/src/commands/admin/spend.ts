import { type SpendFlags, printSpend, spendFlags } from '../gateway/spend.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'

export const spend: Configure = (command, cli) => {
  spendFlags(command).action(async (flags: SpendFlags) => {
    const admin = await adminClient(cli)
    await printSpend(cli, flags, {
      get: (query) => admin.spend(query),
      csv: (query) => admin.spendCsv(query),
    })
  })
}
