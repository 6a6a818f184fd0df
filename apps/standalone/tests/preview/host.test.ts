import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium } from '../../../api/tests/support/chromium.ts'
import { bash, startSession, write } from '../support/sessions/agent.ts'
import { hostileProgram } from '../support/sessions/hostile-program.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { signInWith } from '../support/clients/sign-in-attempt.ts'
import { waitFor } from '../support/wait-for.ts'

type Browser = Awaited<ReturnType<typeof startChromium>>
type Person = Awaited<ReturnType<Browser['newContext']>>
type Page = Awaited<ReturnType<Person['newPage']>>

const password = 'correct horse battery'

describe.skipIf(skipsChromium)(
  'a preview at a host of its own, in the browser of a person who is signed in',
  () => {
    let platform: Platform
    let session: Session
    let browser: Browser
    let person: Person

    beforeAll(async () => {
      platform = await startPlatform()
      const { client, origin } = platform
      const { project_id } = await client.projects.provision({ name: 'Preview' })
      const started = await startSession(client, project_id, [
        write('server.mjs', hostileProgram),
        bash('(setsid node server.mjs > server.log 2>&1 &) ; echo begun'),
      ])
      session = await client.projects.sessions.get(project_id, started.session.session_id)
      const proxied = `${origin}/v1/p/${session.external_id}/3000/`
      const headers = { authorization: `Bearer ${platform.token}` }
      await waitFor('the program answers', async () => (await fetch(proxied, { headers })).status === 200)
      browser = await startChromium()
      person = await browser.newContext()
      person.setDefaultTimeout(60_000)
      await client.auth.changePassword({ password })
      const page = await person.newPage()
      await page.goto(`${origin}/dashboard/`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Email').fill('owner@svc.invalid')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    })
    afterAll(async () => {
      await browser?.close()
      await platform?.stop()
    })

    const ticket = async (client = platform.client): Promise<URL> => {
      const { project_id, session_id } = session
      return new URL(
        (await client.projects.sessions.previewTicket(project_id, session_id, { port: 3000 })).url,
      )
    }

    const at = (url: URL, path: string): string => {
      const there = new URL(path, url)
      there.search = url.search
      return there.href
    }

    /** The page of the program, in a tab of its own. */
    const opened = async (url: URL, path = '/page'): Promise<Page> => {
      const page = await person.newPage()
      await page.goto(at(url, path))
      return page
    }

    const signInCookies = async () =>
      (await person.cookies(`${platform.origin}/v1/oauth/authorize`)).map(({ name, value, path }) => ({
        ...{ name, value, path },
      }))

    test('its program learns and sets no cookie of the platform, and reaches nothing', async () => {
      const before = await signInCookies()
      expect(before.length).toBeGreaterThan(0)
      const url = await ticket()
      expect(url.host).toMatch(/^[0-9a-f]{32}\.preview\.localhost:\d+$/)
      const page = await opened(url)
      await expect.poll(() => page.title()).toBe('Runs')
      expect(page.url()).toBe(new URL('/page', url.origin).href)
      expect(await page.evaluate('self.origin')).toBe(url.origin)
      const own = await page.evaluate<{ cookie: string; sockets: string; reached: string[] }>(
        tryEverything(platform.origin),
      )
      expect(own.sockets).toBe('HELLO /v1/oauth/socket')
      expect(own.reached).toEqual([])
      const { seen } = await page.evaluate<{ seen: string[] }>(
        "fetch('/seen').then((answer) => answer.json())",
      )
      const cookies = [...new Set([...seen, own.cookie])].flatMap((cookie) => cookie.split('; '))
      expect(cookies).toContain('theirs=1')
      expect(cookies.join('; ')).not.toMatch(/svc_(?!mine)/)
      const signedIn = await signInWith(cookies, platform.origin)
      expect(signedIn.location).not.toContain('code=')
      expect(signedIn.text).toContain('Password')
      for (const path of ['/v1/accounts/me', `/v1/p/${session.external_id}/3000/`]) {
        const headers = { cookie: cookies.join('; ') }
        expect((await fetch(platform.origin + path, { headers })).status).toBe(401)
      }
      expect(await signInCookies()).toEqual(before)
      for (const origin of [platform.origin, platform.origin.replace('127.0.0.1', 'localhost')])
        expect((await person.cookies(origin)).map(({ value }) => value)).not.toContain('TOSSED')
      await page.goto(`${platform.origin}/dashboard/`)
      await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    })

    test('a ticket that is used twice is refused, and the browser that was first goes on', async () => {
      const url = await ticket()
      const page = await opened(url)
      const other = await browser.newContext()
      const second = await (await other.newPage()).goto(url.href)
      expect(second?.status()).toBe(401)
      expect(await second?.text()).toContain('Open the preview from its session again')
      await other.close()
      await page.reload()
      await expect.poll(() => page.title()).toBe('Runs')
    })

    test('no page of the platform is there, whatever it is asked with', async () => {
      const url = await ticket()
      const page = await opened(url)
      for (const path of ['/dashboard/', '/v1/accounts/me', '/v1/oauth/authorize', '/v1/docs']) {
        await page.goto(new URL(path, url.origin).href)
        expect(await page.textContent('body')).toContain(`"url":"${path}"`)
      }
      const [incoming]: IncomingMessage[] = await once(
        request({
          ...{ host: '127.0.0.1', port: url.port, path: '/v1/accounts/me' },
          headers: { host: url.host, authorization: `Bearer ${platform.token}` },
        }).end(),
        'response',
      )
      expect(incoming?.statusCode).toBe(401)
      expect(incoming && (await text(incoming))).not.toContain('user_id')
    })

    test('the dashboard shows it in a frame, and no other page does', async () => {
      const framing = await person.newPage()
      await framing.goto(`${platform.origin}/dashboard/`)
      expect(await framed(framing, at(await ticket(), '/page'))).toBe('Runs')
      const elsewhere = await opened(await ticket())
      expect(await framed(elsewhere, at(await ticket(), '/page'))).toBeNull()
    })

    test('a revoked token shows nothing from the next request on', async () => {
      const { tokens } = platform.client
      const { token, token_id } = await tokens.create({ name: 'browser' })
      const page = await opened(await ticket(createClient({ api_url: `${platform.origin}/v1`, token })))
      await expect.poll(() => page.title()).toBe('Runs')
      await tokens.revoke(token_id)
      expect((await page.reload())?.status()).toBe(401)
    })
  },
)

/** The title of a frame with this address once it is loaded; null where the browser shows something else in it. */
async function framed(page: Page, address: string): Promise<string | null> {
  await page.evaluate(`(() => {
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts allow-forms allow-same-origin'
    frame.name = 'preview'
    frame.src = ${JSON.stringify(address)}
    const loaded = new Promise((resolve) => (frame.onload = resolve))
    document.body.append(frame)
    return loaded
  })()`)
  const frame = page.frame('preview')
  if (frame === null || !frame.url().startsWith('http')) return null
  return frame.title()
}

/** The attempts of a page on its own origin and on the platform's; as text, since it runs there. */
const tryEverything = (platform: string) => `(async () => {
  for (const path of ['/', '/v1/oauth/x', '/v1/oauth/authorize', '/v1/auth/sso/x', '/v1/accounts/me'])
    for (const method of ['GET', 'POST']) await fetch(path, { method, credentials: 'include' })
  for (const path of ['/', '/v1/oauth'])
    for (const domain of ['', '; domain=localhost', '; domain=preview.localhost', '; domain=127.0.0.1'])
      document.cookie = 'svc_mine=TOSSED; path=' + path + domain
  const reached = []
  for (const origin of [${JSON.stringify(platform)}, ${JSON.stringify(platform)}.replace('127.0.0.1', 'localhost')])
    for (const path of ['/v1/accounts/me', '/v1/oauth/authorize', '/dashboard/'])
      for (const method of ['GET', 'POST'])
        for (const credentials of ['include', 'omit'])
          await fetch(origin + path, { method, credentials }).then(
            (answer) => answer.ok && reached.push(method + ' ' + origin + path),
            () => undefined,
          )
  const socket = new WebSocket('ws://' + location.host + '/v1/oauth/socket')
  await new Promise((resolve) => (socket.onopen = resolve))
  socket.send('hello')
  const sockets = await new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))
  return { cookie: document.cookie, sockets, reached }
})()`
