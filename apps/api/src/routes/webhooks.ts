import { OpenAPIHono } from '@hono/zod-openapi'
import { webhooks } from '@svc/contract'
import * as verbs from '@svc/services'
import type { AppEnv } from '../parts.ts'
import { readIncoming, readUpTo } from '../door/read-up-to.ts'

export function webhookRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(webhooks.receiveWebhook, async (c) => {
    const { raw } = c.req
    const incoming = c.env?.incoming
    const answer = await verbs.receiveWebhook(c.get('ctx'), {
      ...c.req.valid('param'),
      headers: raw.headers,
      body: () =>
        incoming === undefined
          ? readUpTo(raw.body, verbs.webhookBodyBytes)
          : readIncoming(incoming, verbs.webhookBodyBytes),
    })
    return answer.status === 'skipped' ? c.json(answer, 200) : c.json(answer, 202)
  })
  return app
}
