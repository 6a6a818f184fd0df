import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createSsoProviders, createTxtLookup, type Mail } from '@svc/identity'
import { Provider } from 'oidc-provider'
import { expect } from 'vitest'
import { trustedProxies } from '@svc/platform/env'
import { dnsServer } from './dns-server.ts'
import { testPlatform } from './platform.ts'

/** The provider's claims about a person; `email_verified` is left unsaid when it is null. */
export interface ProviderAccount {
  readonly email: string
  readonly email_verified: boolean | null
}

export const client = { client_id: 'svc', client_secret: randomBytes(24).toString('hex') }

/** The API, a real OpenID provider that knows it as a client, and a name server, each on a socket of its own. */
export async function ssoPlatform(account_ids: readonly string[] = []) {
  const known = new Map<string, ProviderAccount>()
  const mails: Mail[] = []
  const servers: Server[] = []
  const switches: { sign_up: 'open' | 'invited'; sign_in_url: string | undefined; ahead: number } = {
    sign_up: 'open',
    sign_in_url: undefined,
    ahead: 0,
  }
  const [api, op, dns] = [await listen(servers), await listen(servers), await dnsServer()]
  const { origin } = api
  const callbackOf = (name: string) => `${origin}/v1/auth/sso/${name}/callback`
  const provider = new Provider(op.origin, {
    clients: [{ ...client, redirect_uris: ['acme', ...account_ids].map(callbackOf) }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_, id) => {
      const account = known.get(id)
      if (!account) return undefined
      const { email, email_verified } = account
      const said = email_verified === null ? { email } : { email, email_verified }
      return { accountId: id, claims: () => ({ sub: id, name: 'Ada', ...said }) }
    },
  })
  op.serve(provider.callback())
  const platform = await testPlatform({
    is_proxy: trustedProxies(['127.0.0.1']),
    sso: createSsoProviders([{ name: 'acme', issuer: op.origin, ...client }]),
    txt_lookup: createTxtLookup([dns.address]),
    now: () => new Date(Date.now() + switches.ahead),
    mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
    settings: {
      api_url: `${origin}/v1`,
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 900,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
      issuer_addresses: ['127.0.0.0/8', '::1/128'],
      get sign_up() {
        return switches.sign_up
      },
      get sign_in_url() {
        return switches.sign_in_url
      },
    },
  })
  api.serve((req, res) => void platform.api.handle(req, res))

  /** Signs in at the provider and stops before the browser goes back. */
  async function untilCallback(browser: SsoBrowser, login: string, name = 'acme'): Promise<string> {
    const answer = await browser.open(`${origin}/v1/auth/sso/${name}`)
    expect(answer.status).toBe(302)
    return throughProvider(browser, answer, login, callbackOf(name))
  }

  /** Follows an answer that leads to the provider, up to the address that it sends the browser back to. */
  async function throughProvider(
    browser: SsoBrowser,
    first: Response,
    login: string,
    back: string,
  ): Promise<string> {
    let answer = first
    for (let hops = 0; hops < 20; hops++) {
      const next = answer.headers.get('location')
      if (next?.startsWith(back)) return next
      if (next !== null) {
        answer = await browser.open(new URL(next, op.origin).href)
        continue
      }
      const page = await answer.text()
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
      expect(action, page).not.toBe('')
      answer = await browser.open(new URL(action, op.origin).href, { prompt, login, password: 'x' })
    }
    throw new Error('The provider did not send the browser back')
  }

  return {
    platform,
    origin,
    issuer: op.origin,
    known,
    mails,
    dns,
    switches,
    untilCallback,
    throughProvider,
    callbackOf,
    /** All the way there and back. */
    async finish(browser: SsoBrowser, login: string, name?: string) {
      const answer = await browser.open(await untilCallback(browser, login, name))
      const text = await answer.text()
      const body: unknown = text === '' ? null : JSON.parse(text)
      return { status: answer.status, location: answer.headers.get('location'), body }
    },
    newAccount(email_verified: boolean | null = true, email = `${randomUUID()}@example.com`) {
      const login = randomUUID()
      known.set(login, { email, email_verified })
      return { login, email }
    },
    exchange: (link_token: string, more: object = {}) =>
      platform.call('/v1/auth/verify-otp', {
        method: 'POST',
        json: { type: 'sso', link_token, ...more },
      }),
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await dns.close()
      await platform.close()
    },
  }
}

export type SsoPlatform = Awaited<ReturnType<typeof ssoPlatform>>

async function listen(
  servers: Server[],
): Promise<{ origin: string; serve: (listener: RequestListener) => void }> {
  const server = createServer()
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    serve: (listener) => void server.on('request', listener),
  }
}

let clients = 0

/** A browser with its cookies, and an address of its own. */
export function newBrowser() {
  const jar = new Map<string, Map<string, string>>()
  const address = `198.51.100.${++clients}`
  return {
    jar,
    async open(url: string, form?: Record<string, string>): Promise<Response> {
      const cookies = jar.get(new URL(url).origin) ?? new Map<string, string>()
      jar.set(new URL(url).origin, cookies)
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          'x-forwarded-for': address,
        },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line) || value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}

export type SsoBrowser = ReturnType<typeof newBrowser>
