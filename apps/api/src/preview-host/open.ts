import type { ServerResponse } from 'node:http'
import type { PreviewPlace } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { openPreview } from '@svc/services'
import type { ApiParts } from '../parts.ts'
import { pathAndQuery } from '../sandbox-proxy/route.ts'
import { previewCookie } from './cookie.ts'
import { ownHeaders } from './dialect.ts'
import type { Ticketed } from './ticket.ts'

/** Takes the ticket out of a browser's address, for a cookie that opens the preview from then on. */
export async function exchangeTicket(
  parts: Pick<ApiParts, 'db' | 'now'>,
  { place, label }: { readonly place: PreviewPlace; readonly label: string },
  { ticket, rest }: Ticketed,
  res: ServerResponse,
): Promise<void> {
  const there = pathAndQuery(rest)
  if (there === null)
    throw new ServiceError('not_found', 'A preview has no such path; open the preview from its session again')
  const { cookie, max_age_seconds } = await openPreview(parts, { label, ticket })
  res
    .writeHead(303, {
      ...ownHeaders,
      'Set-Cookie': previewCookie(place, cookie, max_age_seconds),
      Location: `${place.scheme}://${label}.${place.host}${there.path}${there.query}`,
    })
    .end()
}
