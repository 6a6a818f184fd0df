import { createAdminClient } from '@svc/sdk/admin'
import { expect, test } from 'vitest'
import { platform, project, watched } from './world.ts'

/** The money of an account: its spend, its budgets, and the ledger of its credit. */
export function testMoney(): void {
  const page = () => watched.page
  const tab = (name: string) => page().getByRole('tab', { name, exact: true }).click()

  test('an admin reads what the account spent by project, agent and day', async () => {
    await page().goto(`${platform.origin}/dashboard/accounts/${project.account_id}/members`)
    await page()
      .getByRole('navigation', { name: 'Account' })
      .getByRole('link', { name: 'Spend', exact: true })
      .click()
    await page().getByRole('heading', { level: 1, name: 'Spend', exact: true }).waitFor()
    const table = page().getByRole('table', { name: 'Spend' })
    await table.getByRole('row', { name: /^Pages / }).waitFor()
    await page().getByLabel('Group').selectOption('agent')
    await table.getByRole('row', { name: /^helper / }).waitFor()
    await page().getByLabel('Group').selectOption('day')
    await table.locator('time').first().waitFor()
    await page().getByLabel('Group').selectOption('project')
    await table.getByRole('link', { name: 'Pages', exact: true }).click()
    await page().getByRole('heading', { level: 1, name: 'Models', exact: true }).waitFor()
    await page().goBack()
    await table.waitFor()
  })

  test('a budget of the account for each of its projects is set, changed and deleted', async () => {
    const { budgets } = platform.client.accounts.gateway
    await tab('Budgets')
    await page().getByText('No budget yet').waitFor()
    await page().getByRole('button', { name: 'Add budget' }).click()
    const dialog = page().getByRole('dialog')
    await dialog.getByLabel('Cap in US dollars').fill('20')
    await dialog.getByLabel('For').selectOption('project')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const card = page().getByRole('list', { name: 'Budgets' }).getByRole('listitem')
    await card.getByText('$20.00 a month, for each project').waitFor()
    expect(await budgets.list(project.account_id)).toMatchObject([
      { level: 'project', subject: null, project_id: null, cap_micros: 20_000_000 },
    ])
    await card.getByRole('button', { name: /^Change/ }).click()
    await dialog.getByLabel('Cap in US dollars').fill('30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('$30.00 a month, for each project').waitFor()
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page().getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page().getByText('No budget yet').waitFor()
    expect(await budgets.list(project.account_id)).toEqual([])
  })

  test('the ledger has each entry of the credit, page by page', async () => {
    const admin = createAdminClient({ api_url: platform.origin, token: platform.token })
    await tab('Ledger')
    await page().getByText('No entry yet').waitFor()
    for (let entry = 1; entry <= 51; entry++)
      await admin.addCredit(project.account_id, {
        amount_micros: 1_000_000,
        reason: `Payment ${entry}`,
        idempotency_key: `payment-${entry}`,
      })
    await page().reload()
    await page().getByText('$51.00').first().waitFor()
    const row = (reason: string) =>
      page()
        .getByRole('table', { name: 'Ledger' })
        .getByRole('row', { name: new RegExp(`${reason}$`) })
    await row('Payment 51').waitFor()
    expect(await row('Payment 1').count()).toBe(0)
    await page().getByRole('button', { name: 'Older ones' }).click()
    await row('Payment 1').getByRole('button').click()
    const drawer = page().getByRole('dialog', { name: 'Entry' })
    await drawer.getByText('payment-1').waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page().getByRole('button', { name: 'Older ones' }).waitFor({ state: 'hidden' })
  })
}
