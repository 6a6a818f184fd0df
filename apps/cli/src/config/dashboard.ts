import { OperationError, UsageError } from '../failures.ts'
import type { Env } from '../io.ts'

/**
 * The address of a page of the dashboard: at `SVC_DASHBOARD_URL`, else the one that the API serves. Throws when it
 * has none, so that no person is sent to a page that does not exist.
 */
export async function dashboardPage(env: Env, api_url: string, path: string): Promise<string> {
  const given = env['SVC_DASHBOARD_URL']
  if (given) return `${webAddress(given)}${path}`
  const origin = api_url.replace(/\/v1$/, '')
  if (await servesPages(`${origin}/dashboard/`)) return `${origin}/dashboard${path}`
  throw new OperationError(
    `${origin} serves no dashboard`,
    'set SVC_DASHBOARD_URL to the address of one; `svc projects info` and `svc sessions info` tell the same here',
  )
}

function webAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '') {
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  }
  throw new UsageError('SVC_DASHBOARD_URL is not an http(s) URL', 'give it as https://dashboard.example')
}

/** A page, or the way to one: signing in redirects. */
async function servesPages(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await answer.body?.cancel()
    if (answer.status >= 300 && answer.status < 400) return true
    return answer.ok && (answer.headers.get('content-type') ?? '').startsWith('text/html')
  } catch (cause) {
    throw new OperationError(`${url} does not answer`, '`svc hosts info` tells whether the host does', {
      cause,
    })
  }
}
