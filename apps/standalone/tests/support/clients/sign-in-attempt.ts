import { createHash } from 'node:crypto'

/**
 * The progress at the dashboard's sign-in of a program that has these cookies of a person's browser and nothing else:
 * the last page or the address that it was sent on to.
 */
export async function signInWith(
  cookies: readonly string[],
  origin: string,
): Promise<{ readonly location: string; readonly text: string }> {
  const jar = new Map(cookies.map(pair))
  const query = new URLSearchParams({
    client_id: 'svc-dashboard',
    response_type: 'code',
    redirect_uri: `${origin}/dashboard/signed-in`,
    scope: 'svc',
    state: 'mine',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  })
  let location = `${origin}/v1/oauth/authorize?${query.toString()}`
  for (;;) {
    const cookie = [...jar].map((one) => one.join('=')).join('; ')
    const response = await fetch(location, {
      redirect: 'manual',
      // The headers that a browser sends for a page that its person sees.
      headers: { cookie, accept: 'text/html', 'sec-fetch-dest': 'document' },
    })
    for (const line of response.headers.getSetCookie()) jar.set(...pair(line))
    const text = await response.text()
    const next = response.headers.get('location')
    if (next === null) return { location, text }
    location = new URL(next, location).href
    if (new URL(location).pathname === '/dashboard/signed-in') return { location, text: '' }
  }
}

function pair(line: string): [name: string, value: string] {
  const [text = ''] = line.split(';')
  const at = text.indexOf('=')
  return [text.slice(0, at).trim(), text.slice(at + 1)]
}
