import type { Context } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { headerIssues, typesOf } from '@svc/event'
import { checkGivenTarget, RefusedTarget } from '@svc/outbound'

export interface SubscriptionFields {
  readonly url?: string | undefined
  readonly name?: string | null | undefined
  readonly types?: readonly string[] | undefined
  readonly ordering?: 'none' | 'strict' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Refuses what the shape of a request cannot say: patterns without a type, headers of ours, addresses of others' networks. */
export async function checkFields(
  { settings }: Pick<Context, 'settings'>,
  { url, types, headers }: SubscriptionFields,
): Promise<void> {
  const issues = [
    ...(types ?? []).flatMap((pattern, index) =>
      typesOf(pattern).length > 0
        ? []
        : [
            {
              path: `types.${index}`,
              message: `${pattern} is no type of event; \`svc events types\` lists them`,
            },
          ],
    ),
    ...headerIssues(headers ?? {}).map(({ name, message }) => ({
      path: name === null ? 'headers' : `headers.${name}`,
      message,
    })),
  ]
  const [first] = issues
  if (first) throw new ServiceError('invalid_request', `${first.path}: ${first.message}`, { issues })
  if (url !== undefined) await checkAddress(url, settings.outbound_addresses ?? [])
}

async function checkAddress(text: string, open: readonly string[]): Promise<void> {
  const refused = (message: string, code: 'invalid_request' | 'address_not_allowed') =>
    new ServiceError(code, `url: ${message}`, { issues: [{ path: 'url', message }] })
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw refused('must be an address such as https://example.com/events', 'invalid_request')
  if (url.username !== '' || url.password !== '')
    throw refused('must not hold a name or a password; use `headers`', 'invalid_request')
  if (url.hash !== '') throw refused('must not have a part after #', 'invalid_request')
  try {
    await checkGivenTarget(url, { open })
  } catch (error) {
    if (error instanceof RefusedTarget)
      throw refused(
        `${error.message}; give a public https address, or ask the operator to allow this one`,
        'address_not_allowed',
      )
    throw error
  }
}
