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
}
