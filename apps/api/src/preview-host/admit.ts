import type { IncomingMessage } from 'node:http'
import { authenticateStored, type PreviewPlace, recordingRefusal } from '@svc/context'
import { isForeignWrite } from '@svc/contract/preview'
import { ServiceError } from '@svc/errors'
import { authorizePreview, findPreview } from '@svc/services'
import { admit, contextOf, type Exchange } from '../door/door.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import type { ApiParts } from '../parts.ts'
import type { Admission } from '../sandbox-proxy/passage.ts'
import { pathAndQuery } from '../sandbox-proxy/route.ts'
import { previewCookies } from './cookie.ts'

interface Asking {
  readonly place: PreviewPlace
  readonly label: string
  readonly limited: RequestLimits
}

/**
 * The browser that has opened a preview. Its cookie names a credential, whose access is decided anew: one that was
 * revoked, or that lost its project, sees nothing from then on.
 */
export async function admitToPreview(
  parts: ApiParts,
  { place, label, limited }: Asking,
  exchange: Exchange,
  req: IncomingMessage,
): Promise<Admission> {
  const asked = pathAndQuery(req.url ?? '/')
  if (asked === null)
    throw new ServiceError('not_found', 'A preview has no such path; open the preview from its session again')
  const cookies = previewCookies(place, req.headers.cookie)
  const { credential, ...preview } = await findPreview(parts, { label, cookies })
  if (isForeignWrite(req, `${place.scheme}://${label}.${place.host}`))
    throw new ServiceError(
      'forbidden',
      'A page of another origin may not write here; open the preview itself',
    )

  const { project_id, session_id, port } = preview
  const target = `projects/${project_id}/sessions/${session_id}/previews/${port}`
  const named = { action: 'showPreview', target }
  const { principal, limits } = await admit(parts, limited, exchange, named, () =>
    authenticateStored(parts, credential),
  )
  const ctx = contextOf(parts, exchange, principal)
  const found = await recordingRefusal(ctx, { ...named, principal, trail: ctx.trail }, () =>
    authorizePreview(ctx, { ...preview, path: asked.path }),
  )
  const of_sandbox = await limited.sandbox(found.external_id)
  return {
    endpoint: found.endpoint,
    url: found.path + asked.query,
    user_context: found.user_context,
    limits: { ...limits, ...of_sandbox },
    note: () => Promise.resolve(),
  }
}
