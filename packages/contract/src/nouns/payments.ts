import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, refusals } from '../kit/common.ts'
import { PaymentAdapterName } from '../kit/parameters.ts'

/** The body may be anything, so that its bytes reach the signature as they came. */
export const receivePayment = createRoute({
  tags: ['Webhooks'],
  operationId: 'receivePayment',
  ...reachedBy({ public: true }),
  summary: 'Tell of a payment',
  description:
    'For the payment provider of the operator alone: `stripe`, with `Stripe-Signature` over the time and the body, at most five ' +
    'minutes old (401). Each event counts once. 404 where the operator takes no payments.',
  method: 'post',
  path: '/v1/webhooks/billing/{adapter}',
  request: { params: z.object({ adapter: PaymentAdapterName }) },
  responses: {
    200: json(
      z
        .object({
          received: z.literal(true),
          applied: z.boolean().openapi({ description: 'Whether it changed something' }),
        })
        .openapi('ReceivedPayment'),
      'Taken, or not of interest',
    ),
    ...refusals(400, 404, 413),
  },
})
