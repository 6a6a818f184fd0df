import { createHash } from 'node:crypto'
import { isLoopback } from '@svc/facts'
import { type Html, html, singleLine } from './html.ts'

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
h1 { font-size: 1.4rem }
label { display: block; margin: .8rem 0 .2rem }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #767c85; border-radius: 6px }
button { font: inherit; padding: .5rem 1.2rem; margin: 1.2rem .6rem 0 0; border-radius: 6px; border: 1px solid #1f6feb; background: #1f6feb; color: #fff }
button.plain { background: none; color: inherit; border-color: #767c85 }
code { font-size: 1.3rem; letter-spacing: .1em }
.problem { border-left: 4px solid #c62828; padding-left: .8rem }
details { margin-top: 1.5rem }
@media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: #14171a } input { background: #20252a; color: inherit } }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The headers of every page: nothing is loaded, nothing runs, no page frames it, and no other page learns where it was.
 */
const everyPage = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

const nothing = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The headers of pages that the protocol library writes by itself; it adds the hash of a script of its own. */
export const plainHeaders = { ...everyPage, 'Content-Security-Policy': `${nothing}; script-src 'none'` }

/** The headers of our pages. A form leads back here, and from here to where the app waits: browsers ask for both. */
export function pageHeaders(redirect_uri?: string): Readonly<Record<string, string>> {
  const policy = `${nothing}; style-src 'sha256-${styleHash}'; form-action 'self'${formTarget(redirect_uri)}`
  return { ...everyPage, 'Content-Security-Policy': policy, 'Content-Type': 'text/html; charset=utf-8' }
}

function formTarget(redirect_uri: string | undefined): string {
  if (redirect_uri === undefined || !URL.canParse(redirect_uri)) return ''
  const { protocol, origin, hostname } = new URL(redirect_uri)
  // A source list has no words for an IPv6 address.
  const plain = (protocol === 'http:' || protocol === 'https:') && !hostname.startsWith('[')
  return ` ${plain ? origin : protocol}`
}

export function page(title: string, content: Html): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · svc</title>
      </head>
    </html>`
  return `${text}<style>${style}</style></head><body><main><h1>${html`${title}`.text}</h1>${content.text}</main></body></html>`
}

export function problemOf(problem: string | null): Html | null {
  return problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`
}

export interface Asking {
  /** The app's own name for itself. */
  readonly client_name: string
  /** The address that the answer goes to; null for a device, which waits elsewhere. */
  readonly redirect_uri: string | null
  /** True for the platform's own dashboard, which asks for nothing that a sign-in does not give. */
  readonly own: boolean
}

export function asks({ client_name, redirect_uri }: Asking): Html {
  const host = redirect_uri === null ? null : place(redirect_uri)
  return html`<strong>${singleLine(client_name)}</strong
    >${host === null ? ', on another device,' : html` (at ${host})`}`
}

function place(redirect_uri: string): string {
  const { protocol, host, hostname } = new URL(redirect_uri)
  if (isLoopback(hostname)) return 'this computer'
  return singleLine(protocol === 'https:' ? host : `${protocol}${host}`)
}

/** Email and password, or a token for a person without a password. */
export function signInPage(action: string, asking: Asking, problem: string | null, email: string): string {
  return page(
    'Sign in',
    html`${problemOf(problem)}
      <p>
        ${asking.own ? html`To go on to the dashboard.` : html`${asks(asking)} wants to act for you. Sign in to decide.`}
      </p>
      <form method="post" action="${action}" autocomplete="on">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="username" value="${email}" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" />
        <label for="totp_code">Two-factor code, if you use one</label>
        <input id="totp_code" name="totp_code" inputmode="numeric" autocomplete="one-time-code" />
        <button name="step" value="password">Sign in</button>
        <button class="plain" name="step" value="sso">Single sign-on</button>
        <button class="plain" name="step" value="deny">Cancel</button>
      </form>
      <details>
        <summary>Use a token instead</summary>
        <form method="post" action="${action}" autocomplete="off">
          <label for="token">A user token of yours (svc_pat_…)</label>
          <input id="token" name="token" type="password" autocomplete="off" />
          <button name="step" value="token">Sign in with the token</button>
        </form>
      </details>`,
  )
}

export interface Consent extends Asking {
  readonly email: string
  readonly full: boolean
}

export function consentPage(action: string, consent: Consent): string {
  const reach = consent.full
    ? html`do everything that you may do: read and change your projects, sessions and accounts`
    : html`see who you are: your name and your address`
  return page(
    'Allow access?',
    html`<p>You are signed in as <strong>${consent.email}</strong>.</p>
      <p>${asks(consent)} wants to ${reach}.</p>
      <p>Only allow what you started yourself.</p>
      <form method="post" action="${action}">
        <button name="step" value="approve">Allow</button>
        <button class="plain" name="step" value="deny">Deny</button>
      </form>`,
  )
}

export interface CodeForm {
  readonly action: string
  readonly xsrf: string
}

export function codePage({ action, xsrf }: CodeForm, problem: string | null): string {
  return page(
    'Enter the code',
    html`${problemOf(problem)}
      <p>Type the code that your device shows.</p>
      <form method="post" action="${action}">
        <input type="hidden" name="xsrf" value="${xsrf}" />
        <label for="user_code">Code</label>
        <input
          id="user_code"
          name="user_code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
        />
        <button>Continue</button>
      </form>`,
  )
}

export function codeConfirmPage(
  { action, xsrf }: CodeForm,
  {
    user_code,
    client_name,
    ip,
  }: { readonly user_code: string; readonly client_name: string; readonly ip: string },
): string {
  return page(
    'Is this your device?',
    html`<p>
        <strong>${singleLine(client_name)}</strong> asked for this code from the address ${singleLine(ip)}:
      </p>
      <p><code>${user_code}</code></p>
      <p>
        Only continue when your own device shows the same code. Another person has no reason to send you one.
      </p>
      <form method="post" action="${action}">
        <input type="hidden" name="xsrf" value="${xsrf}" />
        <input type="hidden" name="user_code" value="${user_code}" />
        <button name="confirm" value="yes">Continue</button>
        <button class="plain" name="abort" value="yes">Cancel</button>
      </form>`,
  )
}

export function messagePage(title: string, text: string): string {
  return page(title, html`<p>${text}</p>`)
}
