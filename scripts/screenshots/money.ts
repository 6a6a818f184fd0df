import { createAdminClient } from '@svc/sdk/admin'
import type { BuiltPlatform } from './platform.ts'

/** A price of the written model, so that work costs money; set before there is work. */
export async function priceModel({ client, origin, token }: BuiltPlatform): Promise<void> {
  const [account] = (await client.me()).accounts
  const [project] = await client.projects.list()
  if (account === undefined || project === undefined) throw new Error('There is no project to ask models for')
  const admin = createAdminClient({ api_url: origin, token })
  for (const { model } of await client.projects.gateway.models(project.project_id))
    await admin.gateway.prices.set({ model, card: { input: 3_000_000, output: 15_000_000 } })
}

/** Budgets of an account and the credit that it was given. */
export async function fund({ client, origin, token }: BuiltPlatform, account_id: string): Promise<void> {
  const { budgets } = client.accounts.gateway
  await budgets.create(account_id, { level: 'account', period: 'month', cap_micros: 50_000_000 })
  const one = { level: 'project', period: 'day' } as const
  await budgets.create(account_id, {
    ...one,
    name: 'A day of one project',
    cap_micros: 50_000,
    mode: 'alert',
  })
  const admin = createAdminClient({ api_url: origin, token })
  for (const [amount_micros, reason] of [
    [100_000_000, 'First payment'],
    [-2_500_000, 'Corrected: paid twice'],
    [25_000_000, 'Goodwill after the outage of Tuesday'],
  ] as const)
    await admin.addCredit(account_id, { amount_micros, reason, idempotency_key: reason })
}
