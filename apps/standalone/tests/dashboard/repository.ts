import { expect, test } from 'vitest'
import { at, platform, project, watched } from './world.ts'

/** The commits and the secrets of a project. */
export function testRepository(): void {
  const page = () => watched.page

  test('a commit is opened from its list, and its files are gone through by keys', async () => {
    const { items } = await platform.client.projects.commits.list(project.project_id)
    const newest = items.find(({ message }) => message.startsWith('Set up the agent'))
    await page().goto(at('/commits'))
    await page().getByRole('link', { name: 'Set up the agent' }).click()
    await page().getByRole('heading', { level: 1, name: 'Set up the agent' }).waitFor()
    expect(page().url()).toBe(at(`/commits/${newest?.sha}`))
    await page().getByRole('region', { name: 'svc.yaml' }).getByText('runtime: pi').waitFor()
    await page().keyboard.press('j')
    await expect.poll(() => page().url()).toContain('file=svc.yaml')
    await page().keyboard.press('e')
    await page().getByRole('button', { name: 'Unfold svc.yaml' }).waitFor()
    await page().getByRole('radio', { name: 'Split' }).check({ force: true })
    await expect.poll(() => page().url()).toContain('view=split')
    await page()
      .getByRole('link', { name: /^Parent / })
      .click()
    await page().waitForURL(at(`/commits/${newest?.parents[0]}`))
    await page().getByRole('link', { name: 'Back to Commits' }).waitFor({ state: 'attached' })
    // A commit that no branch holds is nobody's to read.
    await page().goto(at(`/commits/${'f'.repeat(40)}`))
    await page().getByRole('alert').getByText('No branch of this project holds').waitFor()
  })

  test('secrets are set for the project and for oneself, and deleted by their names', async () => {
    await page().goto(at('/secrets'))
    const add = async (title: string, name: string) => {
      await page().getByRole('button', { name: 'Add secret' }).click()
      const dialog = page().getByRole('dialog', { name: title })
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Value').fill('hidden')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page().getByRole('status').getByText(`Saved ${name}.`).waitFor()
    }
    await add('Add secret', 'STRIPE_KEY')
    await page().getByRole('tab', { name: 'Yours' }).click()
    await add('Add a secret of yours', 'OWN_KEY')
    expect(page().url()).toContain('tab=personal')
    await page()
      .getByRole('table', { name: 'Personal secrets' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page()
      .getByRole('alertdialog', { name: 'Delete OWN_KEY?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page().getByText('You have no secret of your own here').waitFor()
    await page().getByRole('tab', { name: 'Reads' }).click()
    await page().getByRole('heading', { level: 1, name: 'Secrets' }).waitFor()
    await platform.client.projects.secrets.delete(project.project_id, 'STRIPE_KEY')
  })
}
