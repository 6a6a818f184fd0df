import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium } from '../../../api/tests/support/chromium.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { bash, commitAndPush, startSession, write } from '../support/sessions/agent.ts'
import { waitFor } from '../support/wait-for.ts'

const declare = "printf 'apps:\\n  site:\\n    type: static\\n    path: site\\n' >> svc.yaml"
const password = 'correct horse battery'

let place: Place
let platform: Platform
let project_id: string

beforeAll(async () => {
  place = await makeBegunPlace()
  platform = await startOn(place)
  project_id = (await platform.client.projects.provision({ name: 'Shop', seed_starter: true })).project_id
  await platform.client.projects.features.set(project_id, { apps: true })
})
afterAll(async () => {
  await platform?.stop()
  await place?.remove()
})

/** A session whose agent writes this page, and the change request that it opens. */
async function propose(client: Client, title: string): Promise<string> {
  await startSession(client, project_id, [
    bash(declare),
    write('site/index.html', `<!doctype html><title>${title}</title><h1>${title}</h1>`),
    commitAndPush(title),
    bash(`svc cr open --title '${title}'`),
  ])
  const { items } = await client.projects.changeRequests.list(project_id, { status: 'open' })
  const cr = items.find((one) => one.title === title)
  if (cr === undefined) throw new Error(`${title} was not opened`)
  return cr.cr_id
}

/** Asks for a page as a browser does, whose machine is at every name below localhost. */
async function visit(url: string): Promise<{ status: number; body: string }> {
  const { host, port, pathname } = new URL(url)
  const asked = request({ port, path: pathname, host: '127.0.0.1', headers: { host }, agent: false }).end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode, body: await text(answer) }
}

const urlOf = async (): Promise<string> =>
  (await platform.client.projects.apps.get(project_id, 'site')).url ?? ''

describe('a page that an agent made', () => {
  test.skipIf(skipsChromium)(
    'is looked at before it is merged, in the browser of a person who signs in on the way',
    async () => {
      const { client } = platform
      const cr_id = await propose(client, 'First page')
      const release = await client.projects.apps.release(project_id, 'site', { cr_id }).wait()
      expect(release).toMatchObject({ status: 'ready', channel: 'preview' })
      const url = release.url ?? ''
      expect((await visit(url)).status).toBe(401)
      await client.auth.changePassword({ password })
      const browser = await startChromium()
      try {
        const person = await browser.newContext()
        person.setDefaultTimeout(60_000)
        const page = await person.newPage()
        await page.goto(url)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByLabel('Email').fill('owner@svc.invalid')
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'First page' }).waitFor()
        expect(page.url()).toBe(`${url}/`)
        const cookies = await person.cookies(url)
        expect(cookies.map(({ name, httpOnly, domain }) => [name, httpOnly, domain])).toEqual([
          ['svc_app', true, new URL(url).hostname],
        ])
        expect(await page.evaluate('document.cookie')).toBe('')
      } finally {
        await browser.close()
      }
    },
  )

  test('is live once it is merged, and its preview is gone', async () => {
    const { client } = platform
    const { items } = await client.projects.changeRequests.list(project_id, { status: 'open' })
    const cr_id = items[0]?.cr_id ?? (await propose(client, 'First page'))
    const { head_commit_sha } = await client.projects.changeRequests.get(project_id, cr_id)
    await client.projects.changeRequests.merge(project_id, cr_id, {
      expected_head_sha: head_commit_sha ?? '',
    })
    await waitFor('the merge is released', async () => {
      const { apps } = await client.projects.apps.list(project_id)
      return apps.some(({ state }) => state === 'serving')
    })
    await client.projects.apps.update(project_id, 'site', { access_mode: 'public' })
    const url = await urlOf()
    await waitFor('all visitors see it', async () => (await visit(url)).status === 200)
    expect((await visit(url)).body).toContain('First page')
    expect((await visit(url.replace('site--shop', 'site--shop--cr1'))).status).toBe(404)
  })

  test('is shown again after the machine lost its power in the middle of a release, and the release is made', async () => {
    const before = platform.client.projects.apps
    const asked = await before.release(project_id, 'site')
    await platform.kill()
    platform = await startOn(place)
    const { apps } = platform.client.projects
    const url = await urlOf()
    await waitFor('the page is there', async () => (await visit(url)).status === 200)
    await waitFor('the release ended', async () => {
      const { status, current } = await apps.getRelease(project_id, 'site', asked.number)
      return status === 'ready' && current
    })
    const { items } = await apps.releases(project_id, 'site', { channel: 'production' })
    expect(items.filter(({ current }) => current)).toHaveLength(1)
  })
})
