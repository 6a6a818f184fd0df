import axe from 'axe-core'
import { startOpenIdProvider } from '../../../api/tests/sso/open-id-provider.ts'
import { expect, test } from 'vitest'
import { platform, project, watched } from './world.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The pages of an account for a company: its provider, its directory, its keys. */
export function testDirectory(): void {
  const page = () => watched.page
  const open = async (part: string, name: string) => {
    await page().goto(`${platform.origin}/dashboard/accounts/${project.account_id}/${part}`)
    await page().getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
  const said = (text: string) => page().getByRole('status').getByText(text).first().waitFor()

  test('a provider is named by the keyboard alone, refused while it does not answer, kept once it does, and removed', async () => {
    const issuer = await startOpenIdProvider()
    await open('sso', 'Single sign-on')
    await page().getByText('There is no provider yet').waitFor()
    page().setDefaultTimeout(15_000)
    await page().getByLabel('Issuer').focus()
    await page().keyboard.type('https://127.0.0.1:9')
    await page().keyboard.press('Tab')
    await page().keyboard.type('svc')
    await page().keyboard.press('Tab')
    await page().keyboard.type('a secret of the provider')
    await page().keyboard.press('Enter')
    const refusal = page().getByRole('alert')
    await refusal.waitFor()
    expect(await refusal.innerText()).toMatch(/request \S+/)
    expect(await faults()).toEqual([])
    await page().getByLabel('Issuer').fill(issuer.origin)
    await page().getByRole('button', { name: 'Save', exact: true }).click()
    await said('The provider answered as it should.')
    await page().getByText('Redirect address to register there').waitFor()
    expect(await page().getByLabel('Client secret').inputValue()).toBe('')
    expect(await platform.client.accounts.sso.get(project.account_id)).toMatchObject({
      issuer: issuer.origin,
      client_id: 'svc',
    })
    expect(await faults()).toEqual([])
    await page()
      .getByRole('button', { name: `Remove ${issuer.origin}` })
      .focus()
    await page().keyboard.press('Enter')
    const question = page().getByRole('alertdialog')
    await question.getByText('sign-ins that came by it end').waitFor()
    expect(await faults()).toEqual([])
    await question.getByRole('button', { name: 'Remove' }).focus()
    await page().keyboard.press('Enter')
    await said('The provider is removed.')
    await page().getByText('There is no provider yet').waitFor()
    page().setDefaultTimeout(60_000)
    await issuer.close()
  })

  test('a directory is given a token, its group appears and is given a role, and the token is revoked', async () => {
    await open('scim', 'SCIM')
    const address = await page().locator('code').first().innerText()
    await page().getByRole('button', { name: 'New token' }).click()
    const dialog = page().getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Name').fill('Directory')
    expect(await faults()).toEqual([])
    await page().keyboard.press('Enter')
    const shown = dialog.getByLabel('New token value')
    const token = await shown.inputValue()
    expect(token).toMatch(/^svc_scim_/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    const answer = await fetch(`${address}/Groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Releasers',
      }),
    })
    expect(answer.status).toBe(201)
    await open('scim', 'SCIM')
    await page().getByRole('button', { name: 'Roles of Releasers' }).focus()
    await page().keyboard.press('Enter')
    const roles = page().getByRole('dialog', { name: 'Roles of Releasers' })
    await roles.getByLabel(project.name, { exact: true }).selectOption('editor')
    expect(await faults()).toEqual([])
    await roles.getByRole('button', { name: 'Save' }).click()
    await said('Saved the roles of Releasers.')
    const [group] = await platform.client.accounts.directory.groups(project.account_id)
    expect(group?.projects).toMatchObject([{ project_id: project.project_id, role: 'editor' }])
    await page()
      .getByRole('table', { name: 'Directory tokens' })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page().getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page().getByRole('alertdialog').waitFor({ state: 'detached' })
    await page().getByText('None yet.').waitFor()
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${address}/Groups`, { headers })).status).toBe(401)
  })

  test('keys are asked for an end by the rules of the account, and are made with one', async () => {
    const { serviceAccounts } = platform.client.accounts
    const { account_id } = project
    const made = await serviceAccounts.create(account_id, { name: 'Deployer' })
    await open('keys', 'Keys')
    await page().getByLabel('Every key needs an end').focus()
    await page().keyboard.press('Space')
    await page().getByLabel('At most so many days').fill('90')
    await page().keyboard.press('Enter')
    await said('Keys that are made from now on are asked for it.')
    expect(await faults()).toEqual([])
    await open('service-accounts', 'Service accounts')
    await page().getByRole('button', { name: 'New token' }).click()
    const dialog = page().getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Name').fill('Deploys')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByRole('alert').getByText('expiry_required').waitFor()
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Last day (optional)').fill(day)
    expect(await faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByLabel('New token value').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const [key] = await serviceAccounts.keys(account_id, made.service_account_id)
    expect(key?.expires_at).not.toBeNull()
    await platform.client.accounts.setKeyRules(account_id, { expiry_required: false, max_days: null })
    await open('keys', 'Keys')
    await page().getByRole('table', { name: 'Keys' }).getByText('Deploys').waitFor()
    expect(await faults()).toEqual([])
    await serviceAccounts.delete(account_id, made.service_account_id)
  })

  /** Findings of axe on what is open now, on a laptop and on a phone. */
  async function faults(): Promise<string[]> {
    await page().evaluate(axe.source)
    const found: string[] = []
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page().setViewportSize(size)
      // What moved has come to rest: a colour in between is none of the theme.
      await page().waitForTimeout(300)
      const violations = await page().evaluate<Violation[]>('axe.run().then(({ violations }) => violations)')
      found.push(...violations.map(({ id, nodes }) => `${size.width} ${id}: ${nodes[0]?.html.slice(0, 160)}`))
    }
    return found
  }
}
