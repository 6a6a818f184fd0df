import { expect, test } from 'vitest'
import { at, platform, project, watched } from './world.ts'

/** The pages of models: what bounds calls, what they cost, and which there were. */
export function testModels(): void {
  test('a budget is set, changed and deleted, and what sessions asked of models is read', async () => {
    const { page } = watched
    const { budgets } = platform.client.projects.gateway
    await page.goto(at('/models'))
    const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
    // The sessions of the parts before asked the platform's own model, which is free.
    await page.getByRole('table', { name: 'Spend' }).getByRole('row', { name: /demo/ }).waitFor()
    await tab('Budgets')
    await page.getByText('No budget yet').waitFor()
    await page.getByRole('button', { name: 'Add budget' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Cap in US dollars').fill('five')
    await dialog.getByText('A number such as 5 or 0.50').waitFor()
    await dialog.getByLabel('Cap in US dollars').fill('5')
    await dialog.getByLabel('Period, in UTC').selectOption('day')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const card = page.getByRole('list', { name: 'Budgets' }).getByRole('listitem')
    await card.getByText('$5.00 a day, for the project').waitFor()
    await card.getByRole('button', { name: /^Change/ }).click()
    await dialog.getByLabel('Cap in US dollars').fill('7.50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('$7.50 a day, for the project').waitFor()
    expect(await budgets.list(project.project_id)).toMatchObject([
      { level: 'project', period: 'day', cap_micros: 7_500_000, mode: 'block' },
    ])
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No budget yet').waitFor()
    await tab('Calls')
    await page.getByRole('table', { name: 'Calls' }).getByRole('row', { name: /demo/ }).first().waitFor()
    await tab('Models')
    await page.getByRole('table', { name: 'Models' }).getByRole('row', { name: /demo/ }).waitFor()
  })

  test('a limit of a gateway key is set, refuses the next call, and the refusal leads back to it', async () => {
    const { page } = watched
    const { gatewayKeys } = platform.client.projects
    const { token } = await gatewayKeys.create(project.project_id, { name: 'limited' })
    await page.goto(at('/settings'))
    const row = page.getByRole('table', { name: 'Gateway keys' }).getByRole('row', { name: /limited/ })
    await row.getByRole('button', { name: 'Change the limits of limited' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Requests a minute').fill('1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('1 request a minute').waitFor()
    const ask = () =>
      fetch(`${platform.origin}/v1/llm/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'Hello' }] }),
      })
    expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/may have 1 request a minute; try again in \d+ s, or ask a manager/),
    })
    await page.goto(at('/models?tab=calls'))
    const call = page.getByRole('table', { name: 'Calls' }).getByRole('row', { name: /rate_limit_exceeded/ })
    await call.first().getByRole('link', { name: 'Change the limits of its key' }).click()
    await row.getByRole('button', { name: 'Change the limits of limited' }).click()
    await dialog.getByLabel('Requests a minute').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('none').waitFor()
    expect((await ask()).status).toBe(200)
  })
}
