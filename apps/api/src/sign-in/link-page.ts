import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'

/**
 * Reads the token behind `#`, which stays in the browser, and uses it once the person presses the button: mail
 * scanners open links.
 */
const script = `
const given = new URLSearchParams(location.hash.slice(1))
const type = given.get('type'), link_token = given.get('token')
history.replaceState(null, '', location.pathname)
const form = document.querySelector('form'), out = document.querySelector('output')
const titles = { signup: 'Confirm your address', recovery: 'Set a new password' }
const field = (name) => form.elements.namedItem(name)
if (!titles[type] || !link_token) { out.textContent = 'This link is not complete; open it from the mail again.'; form.hidden = true }
else document.querySelector('h1').textContent = titles[type]
field('password').closest('label').hidden = type !== 'recovery'
field('password').required = type === 'recovery'
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const totp_code = field('totp_code').value || undefined
  const [path, body] = type === 'recovery'
    ? ['password/reset', { link_token, totp_code, password: field('password').value }]
    : ['verify-otp', { type, link_token, totp_code }]
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const { error, error_description } = await answer.json()
  if (error === 'totp_required') field('totp_code').closest('label').hidden = false
  out.textContent = answer.ok ? 'Done. You can sign in now where you came from.' : error_description
  form.hidden = answer.ok
})
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in</title>
<h1>Sign in</h1>
<form>
<label hidden>New password <input name="password" type="password" autocomplete="new-password"></label>
<label hidden>Authenticator or recovery code <input name="totp_code" autocomplete="one-time-code"></label>
<button>Continue</button>
</form>
<output role="status"></output>
<script>${script}</script>
</html>
`

const scriptHash = createHash('sha256').update(script).digest('base64')

/** The page behind the links of mails when the operator names no page of their own. */
export function linkPage(c: Context<AppEnv>): Response {
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'sha256-${scriptHash}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  c.header('Referrer-Policy', 'no-referrer')
  return c.html(page)
}
