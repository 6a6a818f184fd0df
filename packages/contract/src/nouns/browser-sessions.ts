import { createRoute, z } from '@hono/zod-openapi'
import { body, json } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { BrowserSessionId } from '../kit/parameters.ts'
import { BrowserSession, OpenedBrowserSession } from './browser-session-records.ts'
import { own, signInRefusals } from './sign-in-shape.ts'

export { BrowserSession, OpenedBrowserSession }

export const openBrowserSession = createRoute({
  ...own,
  operationId: 'openBrowserSession',
  summary: 'Exchange a bearer for a signed-in browser',
  description:
    'Sets the HttpOnly cookie `svc_session` (`__Secure-svc_session` on https) and answers a page key: a request of the cookie sends it as `X-Svc-Page`, or is one without a credential. The browser has the power of the bearer and ends with it, at rest for 12 hours (30 days with `keep`), and after 90 days in any case. A token of one project opens one for that project alone. The tokens of a sign-in are of no use afterwards.',
  method: 'post',
  path: '/v1/auth/browser',
  request: {
    body: body(
      z
        .strictObject({ keep: z.boolean().default(false) })
        .openapi('OpenBrowserSession', { example: examples.openBrowserSession }),
      false,
    ),
  },
  responses: {
    201: {
      ...json(OpenedBrowserSession, 'Signed in'),
      headers: z.object({
        'set-cookie': z.string().openapi({ description: 'The cookie, for this browser alone' }),
      }),
    },
    ...signInRefusals(403),
  },
})

export const listBrowserSessions = createRoute({
  ...own,
  operationId: 'listBrowserSessions',
  summary: 'List the browsers in which you are signed in',
  description: 'The newest first.',
  method: 'get',
  path: '/v1/auth/browsers',
  responses: {
    200: json(z.object({ browsers: z.array(BrowserSession) }), 'The browsers'),
    ...signInRefusals(403),
  },
})

export const endBrowserSession = createRoute({
  ...own,
  operationId: 'endBrowserSession',
  summary: 'Sign a browser of yours out',
  description: 'From its next request on. What it was signed in with goes on.',
  method: 'delete',
  path: '/v1/auth/browsers/{browser_session_id}',
  request: { params: z.object({ browser_session_id: BrowserSessionId }) },
  responses: { 204: { description: 'Signed out' }, ...signInRefusals(403, 404) },
})

export const endOwnBrowserSession = createRoute({
  ...own,
  operationId: 'endOwnBrowserSession',
  summary: 'Sign this browser out',
  description: 'Takes the cookie away. 400 for a caller who came with a bearer.',
  method: 'post',
  path: '/v1/auth/browser/end',
  responses: { 204: { description: 'Signed out' }, ...signInRefusals(403) },
})
