import { slugSource } from '@svc/facts'

export interface WebhookAddress {
  readonly project_id: string
  readonly slug: string
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
const shape = new RegExp(`^/v1/webhooks/projects/(${uuid})/(${slugSource})$`)

/** The receiver's address in its usual writing; null for any other, whose answer is the framework's to find. */
export function webhookAddress(path: string): WebhookAddress | null {
  const [, project_id, slug] = shape.exec(path) ?? []
  return project_id === undefined || slug === undefined ? null : { project_id, slug }
}
