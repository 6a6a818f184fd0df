import { platformCookie } from '@svc/contract/preview'

const path = '/v1'

/** Of a signed-in browser. It is sent to no other site's asking, and never without the page key believed. */
export function browserCookie({ api_url }: { readonly api_url: string }) {
  const secure = api_url.startsWith('https:')
  const options = { path, secure, httpOnly: true, sameSite: 'Strict' } as const
  return { name: platformCookie('session', { secure, path }), options }
}
