import { bearerToken } from '@svc/facts'
import { ServiceError } from '@svc/errors'

/** The gateway key of a request, by either of the headers that clients of models send it in. */
export function keyOf(headers: Headers): string {
  const bearer = bearerToken(headers.get('Authorization'))
  const plain = headers.get('x-api-key')?.trim()
  if (bearer !== null && plain !== undefined && plain !== '' && bearer !== plain)
    throw new ServiceError(
      'invalid_request',
      'Authorization and x-api-key hold different keys; send the gateway key in one of them',
    )
  // Google's clients fill their own header with any word where another one holds the key.
  const key = bearer ?? (plain === '' ? undefined : plain) ?? headers.get('x-goog-api-key')?.trim() ?? ''
  if (key !== '') return key
  throw new ServiceError(
    'unauthorized',
    'This needs a gateway key: Authorization: Bearer <key>, x-api-key: <key>, or x-goog-api-key: <key>',
  )
}
