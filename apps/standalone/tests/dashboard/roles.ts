import { type Client, createClient } from '@svc/sdk'
import { expect, test } from 'vitest'
import type { Watched } from '../../../api/tests/support/chromium.ts'
import { mailedCode } from '../support/clients/mailed-code.ts'
import { at, newPage, platform, project } from './world.ts'

type Page = Watched['page']

const email = 'viewer@svc.invalid'
const password = 'a viewer looks on'

/** The pages to one who may look and do little: what would be refused is seen, disabled, and says why. */
export function testRoles(): void {
  test('a viewer sees what they may not do disabled with its reason, and may once they have a role that does', async () => {
    const { project_id, account_id } = project
    const { changeRequests, members } = platform.client.projects
    const viewer = await join()
    const { user_id } = await viewer.me()
    await members.set(project_id, user_id, { role: 'viewer' })
    const [cr] = (await changeRequests.list(project_id, { status: 'closed' })).items
    const page = await signedIn(viewer)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(at('/triggers'))
    await refused(page, 'Fire now', 'project.trigger.fire')
    await refused(page, 'New trigger', 'project.trigger.create')
    await refused(page, 'Pause all', 'project.trigger.update')
    await page.goto(at('/sessions'))
    await refused(page, 'New session', 'project.session.start')
    await page.goto(at(`/change-requests/${cr?.number}`))
    await refused(page, 'Reopen', 'project.gitops.push')
    await page.goto(at('/events'))
    await refused(page, 'New subscription', 'project.connector.write')
    await page.goto(at('/models?tab=providers'))
    await refused(page, 'Add provider', 'project.secret.write')
    await page.goto(at('/settings'))
    await refused(page, 'Archive project', 'project.delete')
    await page.getByText('This needs project.customize.write').waitFor()
    // By the keyboard the reason is said as well, and nothing opens.
    await button('Archive project').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('ask a manager of the project').first().waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await members.set(project_id, user_id, { role: 'editor' })
    await page.goto(at('/triggers'))
    await button('Fire now').click()
    await page.getByRole('dialog', { name: 'Fire by-hand' }).waitFor()
    await page.goto(at(`/change-requests/${cr?.number}`))
    await button('Reopen').waitFor()
    expect(await button('Reopen').isEnabled()).toBe(true)
    await page.context().close()
    await platform.client.accounts.members.remove(account_id, user_id)
  })

  /** Another person of the account, with a client of theirs. */
  async function join(): Promise<Client> {
    const api_url = `${platform.origin}/v1`
    const guest = createClient({ api_url }).auth
    const invitation = await platform.client.accounts.invitations.create(project.account_id, { email })
    await guest.signUp({ email, password })
    const token = await mailedCode(platform.place.data_dir, 'Confirm')
    const { session } = await guest.verifyOtp({ type: 'signup', email, token })
    const person = createClient({ api_url, token: session.access_token })
    await person.accounts.invitations.accept(invitation.token)
    return person
  }

  async function signedIn(person: Client): Promise<Page> {
    const { token } = await person.tokens.create({ name: 'viewer' })
    const page = await newPage()
    await page.goto(at('/triggers'))
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill(token)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('heading', { level: 1, name: 'Triggers' }).waitFor()
    return page
  }

  async function refused(page: Page, name: string, capability: string): Promise<void> {
    const button = page.getByRole('button', { name, exact: true }).first()
    await button.waitFor()
    await expect.poll(() => button.isDisabled()).toBe(true)
    expect(await button.getAttribute('title')).toBe(
      `This needs ${capability}, which your role viewer does not hold here: ask a manager of the project.`,
    )
  }
}
