import { ServiceError } from '@svc/errors'

/** The gateway key of a request, by either of the headers that clients of models send it in. */
export function keyOf(headers: Headers): string {
  const bearer = /^Bearer +([^\s]+) *$/i.exec(headers.get('Authorization') ?? '')?.[1]
  const plain = headers.get('x-api-key')?.trim()
  if (bearer !== undefined && plain !== undefined && plain !== '' && bearer !== plain)
    throw new ServiceError(
      'invalid_request',
      'Authorization and x-api-key hold different keys; send the gateway key in one of them',
    )
  const key = bearer ?? plain ?? ''
  if (key !== '') return key
  throw new ServiceError(
    'unauthorized',
    'This needs a gateway key: Authorization: Bearer <key>, or x-api-key: <key>',
  )
}
