import { expect, test } from 'vitest'
import { platform, project, watched } from './world.ts'

/** The pages of an account, of its people and of one person. */
export function testAccount(): void {
  const page = () => watched.page
  const account = (part: string) => `${platform.origin}/dashboard/accounts/${project.account_id}/${part}`
  const tab = (name: string) =>
    page().getByRole('navigation', { name: 'Account' }).getByRole('link', { name, exact: true }).click()
  const heading = (name: string) => page().getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const said = (text: string) => page().getByRole('status').getByText(text).first().waitFor()

  test('an admin goes through the pages of the account by its tabs', async () => {
    await page().goto(account('members'))
    for (const name of [
      'Roles',
      'Service accounts',
      'Keys',
      'SCIM',
      'Domains',
      'Single sign-on',
      'Sign-in',
      'Spend',
      'Events',
    ]) {
      await tab(name)
      await heading(name)
    }
    await tab('Audit')
    await heading('Audit')
  })

  test('a role is made, opened as its raw record by an address, and deleted by its name', async () => {
    await page().goto(account('roles'))
    await page().getByRole('button', { name: 'New role' }).click()
    const dialog = page().getByRole('dialog', { name: 'New role' })
    await dialog.getByLabel('Name').fill('Releaser')
    await dialog.getByLabel('Based on').selectOption('member')
    await dialog.getByLabel('gitops.merge').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await said('Saved the role Releaser.')
    const table = page().getByRole('table', { name: 'Roles' })
    await table.getByRole('button', { name: 'Releaser', exact: true }).click()
    const drawer = page().getByRole('dialog', { name: 'Releaser' })
    await drawer.getByText('project.gitops.merge').waitFor()
    await page().reload()
    await drawer.getByText('project.gitops.merge').waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await table.getByRole('button', { name: 'Delete Releaser' }).click()
    const question = page().getByRole('alertdialog', { name: 'Delete Releaser?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await said('The role Releaser is deleted.')
  })

  test('a service account is made, and deleted by its name', async () => {
    await page().goto(account('service-accounts'))
    await page().getByLabel('Name', { exact: true }).fill('Releases')
    await page().getByRole('button', { name: 'Create service account' }).click()
    await page().getByRole('heading', { name: 'Releases' }).waitFor()
    await page().getByRole('button', { name: 'Delete Releases' }).click()
    const question = page().getByRole('alertdialog', { name: 'Delete Releases?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await said('Deleted Releases.')
    await page().getByText('No service account yet').waitFor()
  })

  test('what the plan does not hold is on its page, and the refusal says which plans do', async () => {
    const setPlan = async (tier: string) => {
      const url = `${platform.origin}/v1/admin/accounts/${project.account_id}`
      const headers = { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ tier }) })
      expect(answer.status).toBe(200)
    }
    await setPlan('free')
    await page().goto(account('domains'))
    await page().getByLabel('Domain').fill('acme.example')
    await page().getByRole('button', { name: 'Claim' }).click()
    await page().getByRole('alert').getByText('it is part of').waitFor()
    await page().getByRole('alert').getByText('enterprise').waitFor()
    await setPlan('self_host')
    await page().goto(account('sign-in'))
    await page().getByLabel('Every sign-in needs a second factor').click()
    // The person who asks has none themselves.
    await page().getByRole('alert').waitFor()
  })

  test('the account and the person are renamed', async () => {
    await page().goto(account('settings'))
    await page().getByLabel('Name', { exact: true }).fill('Works')
    await page().getByRole('button', { name: 'Save', exact: true }).click()
    await said('Saved.')
    await page().getByLabel('Shown name (optional)').fill('Robots')
    await page().getByLabel('Colour (optional)').fill('#C2410C')
    await page().getByRole('button', { name: 'Save branding' }).click()
    await page().getByRole('link', { name: 'Robots, all that waits' }).waitFor()
    await page().getByLabel('Shown name (optional)').fill('')
    await page().getByLabel('Colour (optional)').fill('')
    await page().getByRole('button', { name: 'Save branding' }).click()
    await page().getByRole('link', { name: 'svc, all that waits' }).waitFor()
    await page().goto(`${platform.origin}/dashboard/account/profile`)
    await page().getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page().getByRole('button', { name: 'Save' }).click()
    await said('Saved.')
    expect(await platform.client.me()).toMatchObject({ name: 'Ada Lovelace' })
    expect((await platform.client.me()).accounts).toMatchObject([{ name: 'Works' }])
  })

  test('a person is invited by a link, which another who opens it cannot use, and the invitation is withdrawn', async () => {
    await page().goto(account('members'))
    await page().getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page().getByRole('dialog', { name: 'Invite' })
    await dialog.getByLabel('Email').fill('grace@svc.invalid')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const link = await dialog.getByLabel('Invitation').inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page().goto('about:blank')
    await page().goto(link)
    await heading('Accept an invitation')
    // Nothing of it stays in the address.
    await expect.poll(() => page().url()).toBe(`${platform.origin}/dashboard/invitations`)
    await page().getByRole('button', { name: 'Join' }).click()
    await page().getByRole('alert').waitFor()
    await page().goto(account('members'))
    await page().getByRole('button', { name: 'Withdraw the invitation of grace@svc.invalid' }).click()
    const question = page().getByRole('alertdialog')
    await question.getByText('grace@svc.invalid').waitFor()
    await question.getByRole('button', { name: 'Withdraw' }).click()
    await said('The invitation is withdrawn.')
    expect(await platform.client.accounts.invitations.list(project.account_id)).toEqual([])
  })

  test('a machine is a member of the project until it is removed, by the keyboard alone', async () => {
    const { serviceAccounts } = platform.client.accounts
    const { service_account_id } = await serviceAccounts.create(project.account_id, { name: 'Robot' })
    await platform.client.projects.members.set(project.project_id, service_account_id, { role: 'viewer' })
    await page().goto(`${platform.origin}/dashboard/projects/${project.project_id}/members`)
    await page().getByRole('button', { name: 'Remove Robot' }).focus()
    await page().keyboard.press('Enter')
    const question = page().getByRole('alertdialog', { name: 'Remove Robot?' })
    await question.waitFor()
    await question.getByRole('button', { name: 'Remove' }).focus()
    await page().keyboard.press('Enter')
    await said('Robot has no role here any more.')
    const left = await platform.client.projects.members.list(project.project_id)
    expect(left.map(({ name }) => name)).not.toContain('Robot')
    await serviceAccounts.delete(project.account_id, service_account_id)
  })

  test('the browsers of the person are listed, and one of them is ended', async () => {
    await fetch(`${platform.origin}/v1/auth/browser`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${platform.token}`,
        'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1',
      },
    })
    await page().goto(`${platform.origin}/dashboard/account/browsers`)
    const table = page().getByRole('table', { name: 'Signed-in browsers' })
    await table.getByText('This browser').waitFor()
    await table.getByRole('button', { name: 'End Safari on iPhone' }).click()
    await page().getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
    await said('That browser is signed out.')
    await table.getByText('Safari on iPhone').waitFor({ state: 'hidden' })
  })
}
