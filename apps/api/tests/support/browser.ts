import { randomInt } from 'node:crypto'

export interface ShownPage {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

/** A browser for the pages of the authorization server; it stops where the app waits. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  /** An address of its own: sign-ins are counted for each. */
  readonly address = `198.51.${randomInt(256)}.${randomInt(1, 255)}`
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** Follows redirects of the server; one that leads away from it is shown as it is. */
  async open(url: string, init: RequestInit = {}): Promise<ShownPage> {
    const { pathname, origin } = new URL(url)
    if (origin !== this.origin) return { status: 302, url, headers: new Headers(), text: '' }
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const headers = { accept: 'text/html', 'x-forwarded-for': this.address, ...Object(init.headers), cookie }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const location = response.headers.get('location')
    if (location !== null) {
      await response.body?.cancel()
      return this.open(new URL(location, url).href)
    }
    return { status: response.status, url, headers: response.headers, text: await response.text() }
  }

  /** Sends the form of the page, pressing the button of this name and value. */
  submit(
    page: ShownPage,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<ShownPage> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
    if (action === undefined) throw new Error(`There is no form on ${page.url}: ${page.text}`)
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const body = new URLSearchParams({
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
      ...fields,
    })
    const sent = { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers }
    return this.open(new URL(action, page.url).href, { method: 'POST', body, headers: sent })
  }

  cookies(): string[] {
    return [...this.#cookies.values()].map(({ value }) => value).filter((value) => value !== '')
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/'
    this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), path })
  }
}
