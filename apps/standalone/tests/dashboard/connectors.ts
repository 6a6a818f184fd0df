import { startGuardedMcp } from '@svc/upstream/testing'
import { afterAll, expect, test } from 'vitest'
import { declare } from './declare.ts'
import { at, platform, project, watched } from './world.ts'

/** A person connects a service by signing in there, as far as its own pages go, and again once that is over. */
export function testConnectors(): void {
  test('an MCP server is connected by a sign-in at its issuer, and again when that ended', async () => {
    const tool = { name: 'search', description: 'Searches', inputSchema: { type: 'object' } }
    const guarded = await startGuardedMcp({ tools: () => [tool] })
    afterAll(guarded.close)
    await declare(
      `connectors:\n  - { slug: docs, name: Docs, provider: mcp, url: '${guarded.server.url}' }\n`,
    )
    const { connectors } = platform.client.projects
    const { project_id } = project
    // Pages of the issuer are no requests of the dashboard.
    const page = await watched.page.context().newPage()
    await page.goto(at('/connectors/docs'))
    await page.getByRole('button', { name: 'Sign in at Docs' }).click()
    await page.locator('[name=login]').fill('ada')
    await page.locator('[name=password]').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Connected. No sandbox ever holds it.').waitFor()
    expect(page.url()).toBe(at('/connectors/docs'))
    await page.getByText('project · active · default').waitFor()
    await expect.poll(async () => (await connectors.get(project_id, 'docs')).status).toBe('ready')

    // Its access is ended there: the first refusal is tried again with a new token, which is not given any more.
    await guarded.issuer.revokeAll()
    await guarded.issuer.forgetTokens()
    const [made] = await connectors.connections.list(project_id, 'docs')
    const connection_id = made?.connection_id ?? ''
    const tried = () => connectors.connections.test(project_id, 'docs', connection_id)
    for (const _ of ['refused', 'not renewed'])
      expect(await tried()).toMatchObject({ ok: false, reason: 'connection_expired' })
    await page.goto(`${platform.origin}/dashboard/`)
    await page.getByRole('link', { name: 'Docs: Project' }).click()
    await page.getByRole('button', { name: 'Sign in again for Project' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('project · active · default').waitFor()
    expect(await tried()).toMatchObject({ ok: true })
    await page.close()
  })
}
