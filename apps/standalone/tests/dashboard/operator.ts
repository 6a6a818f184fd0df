import { expect, test } from 'vitest'
import { platform, watched } from './world.ts'

/** The pages of those who run the platform, as the owner of the first account does. */
export function testOperator(): void {
  test('a platform admin sees what runs, finds an account, has rows checked, and leaves a trace of it', async () => {
    const { page } = watched
    await page.goto(`${platform.origin}/dashboard/`)
    await page.getByRole('link', { name: 'Platform', exact: true }).click()
    await page.getByRole('table', { name: 'Queues' }).waitFor()
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Platform' }).getByRole('link', { name }).click()
    await tab('Processes')
    await page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1).waitFor()
    await tab('Accounts')
    const accounts = page.getByRole('table', { name: 'Accounts' })
    await accounts.getByRole('row').nth(1).waitFor()
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill('no account has this name')
    await page.getByText('No account is like that').waitFor()
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill('')
    await accounts.getByRole('button', { name: 'Suspend' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Suspend' }).click()
    // An operator does not lock themselves out: the refusal stands where the question was.
    await question.getByRole('alert').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await tab('Checks')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('status').getByText('done').waitFor()
    expect(page.url()).toContain('/dashboard/admin/checks?run=')
    await tab('Audit')
    await page.getByRole('table', { name: 'Audit events' }).getByText('startChecks').waitFor()
  })

  test('a platform admin reads a licence, accepts and revokes it, and sees an install fail', async () => {
    const { page } = watched
    await page.goto(`${platform.origin}/dashboard/admin/harnesses`)
    const row = (name: string) =>
      page.getByRole('table', { name: 'Harnesses' }).getByRole('row').filter({ hasText: name })
    const proprietary = row('proprietary')
    await proprietary.getByText('not accepted').waitFor()
    await proprietary.getByRole('button', { name: 'Read the licence' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('All rights reserved').waitFor()
    await dialog.getByText(/^[0-9a-f]{64}$/).waitFor()
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await dialog.getByText('accepted', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await proprietary.getByText('available', { exact: true }).waitFor()
    await proprietary.getByRole('button', { name: 'Revoke licence' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke licence' }).click()
    await proprietary.getByText('not accepted').waitFor()

    const smallest = row('pi-acp')
    await smallest.getByRole('button', { name: 'Install' }).click()
    await smallest.getByText('has another integrity').waitFor()
    // A worker may be at its next try, of which nothing can be removed.
    const removal = page.getByRole('alertdialog')
    const removed = page.getByText('The install is given up.').first()
    do {
      await smallest.getByRole('button', { name: 'Remove' }).click()
      await removal.getByRole('button', { name: 'Remove' }).click()
      await removal.getByRole('alert').or(removed).first().waitFor()
      if (await removed.isHidden()) await removal.getByRole('button', { name: 'Cancel' }).click()
    } while (await removed.isHidden())
  })
}
