import { requestPath } from '../../http/api-url.ts'
import { type Http, parseAnswer } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'
import type { WebhookAnswer } from '../../types.ts'

export interface DeliverOptions extends RequestOptions {
  /** The id that makes a repeat the same delivery, within 24 hours; else two equal events are one. */
  readonly delivery_id?: string | undefined
}

export interface Webhooks {
  /**
   * Sends an event to a webhook trigger as any sender does, signed with the secret that its `secret_env` names. Needs no
   * token. Resolves once it is kept: `fired`, `queued`, `deduped`, or `skipped` with a reason. 401 for a wrong secret.
   */
  deliver(
    project_id: string,
    slug: string,
    event: unknown,
    secret: string,
    options?: DeliverOptions,
  ): Promise<WebhookAnswer>
}

export function webhooks(http: Http): Webhooks {
  return {
    deliver: async (project_id, slug, event, secret, { delivery_id, ...options } = {}) => {
      const path = requestPath('/v1/webhooks/projects/{project_id}/{slug}', { project_id, slug })
      const headers = {
        'x-svc-signature': `sha256=${await hmac(secret, JSON.stringify(event))}`,
        ...(delivery_id === undefined ? {} : { 'x-svc-delivery': delivery_id }),
      }
      return parseAnswer(await http.send({ method: 'POST', path, json: event, headers, ...options }))
    },
  }
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
