import { randomBytes } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { serve } from './serve.ts'

/** A real issuer that registers clients, and gives tokens for a named resource. */
export async function startIssuer({ registers = true } = {}) {
  const holder: { answer?: ReturnType<Provider['callback']> } = {}
  const http = await serve((req, res) => void holder.answer?.(req, res))
  const provider = new Provider(http.origin, {
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    scopes: ['openid', 'offline_access', 'tools'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    features: {
      registration: { enabled: registers },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'tools',
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  })
  holder.answer = provider.callback()
  const given = new Set<string>()
  const tokens = new Set<string>()
  provider.on('access_token.saved', ({ jti }) => void tokens.add(jti))
  provider.on('grant.success', ({ oidc }) => {
    const id = oidc.entities.Grant?.jti
    if (id !== undefined) given.add(id)
  })
  const standing = async () => {
    const all = await Promise.all([...given].map((id) => provider.Grant.find(id)))
    return all.filter((grant) => grant !== undefined)
  }

  return {
    ...http,
    /** The number of accesses that it gave and did not end since. */
    grants: async () => (await standing()).length,
    /** Forgets the access tokens, and renews for those who ask. */
    forgetTokens: async () => {
      for (const id of tokens) await (await provider.AccessToken.find(id))?.destroy()
    },
    /** Ends all of them, as a person may do there. */
    revokeAll: async () => {
      for (const grant of await standing()) await grant.destroy()
    },
    /** The resource that a token is for, null for one that is not known. */
    audienceOf: async (token: string) => (await provider.AccessToken.find(token))?.aud ?? null,
    /** A person opens the page, signs in and consents, up to the address that the browser is sent back to. */
    async signIn(authorization_url: string, back: string): Promise<URL> {
      const jar = new Map<string, string>()
      let url = authorization_url
      let form: Record<string, string> | undefined
      for (let hops = 0; hops < 20; hops++) {
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
        const page = await fetch(url, {
          redirect: 'manual',
          headers: { cookie },
          ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
        })
        for (const line of page.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        }
        const next = page.headers.get('location')
        if (next?.startsWith(back)) return new URL(next)
        form = undefined
        if (next !== null) {
          url = new URL(next, http.origin).href
          continue
        }
        const text = await page.text()
        const action = /action="([^"]+)"/.exec(text)?.[1]
        if (action === undefined) throw new Error(`no form: ${text.slice(0, 2000)}`)
        url = new URL(action, http.origin).href
        form = { prompt: /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? '', login: 'ada', password: 'x' }
      }
      throw new Error('the browser was not sent back')
    },
  }
}
