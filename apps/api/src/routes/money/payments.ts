import { OpenAPIHono } from '@hono/zod-openapi'
import { payments } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { webhookBodyBytes } from '@svc/services'
import { receivePayment, stripe } from '@svc/spend'
import { readIncoming, readUpTo } from '../../door/read-up-to.ts'
import { refuseInvalid } from '../../middleware/validation.ts'
import type { ApiParts, AppEnv } from '../../parts.ts'

/** The door of payment providers; there is none without the secret of one. */
export function paymentRoutes({ stripe_webhook_secret }: Pick<ApiParts, 'stripe_webhook_secret'>) {
  const adapters = stripe_webhook_secret === undefined ? [] : [stripe(stripe_webhook_secret)]
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  app.openapi(payments.receivePayment, async (c) => {
    const adapter = adapters.find(({ name }) => name === c.req.valid('param').adapter)
    if (adapter === undefined)
      throw new ServiceError(
        'not_found',
        'This platform takes no payments of that kind; its operator sets the secret of the provider',
      )
    const incoming = c.env?.incoming
    const { bytes: raw, whole } =
      incoming === undefined
        ? await readUpTo(c.req.raw.body, webhookBodyBytes)
        : await readIncoming(incoming, webhookBodyBytes)
    if (!whole)
      throw new ServiceError(
        'payload_too_large',
        `The event is larger than ${webhookBodyBytes} bytes; send a smaller one`,
      )
    return c.json(await receivePayment(c.var.ctx, adapter, { headers: c.req.raw.headers, raw }), 200)
  })
  return app
}
