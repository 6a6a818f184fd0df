import type { IncomingHttpHeaders } from 'node:http'
import { tokenPrefix } from '@svc/access'
import { gitCredential } from '../git-http/credential.ts'
import { prepareRequestHeaders, type UpstreamIdentity } from '../sandbox-proxy/headers.ts'

/** Here the browser signs in to the program, not to the platform, whose tokens go nowhere. */
export function preparePreviewRequest(headers: IncomingHttpHeaders, identity: UpstreamIdentity): void {
  const { authorization } = headers
  prepareRequestHeaders(headers, identity)
  if (authorization !== undefined && tokenPrefix(gitCredential(authorization) ?? '') === null)
    headers.authorization = authorization
}
