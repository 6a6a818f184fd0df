import type { oauth as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { OAuthApp } from '../types.ts'

/** Apps that act for you because you approved them. */
export interface Apps {
  list(options?: RequestOptions): Promise<OAuthApp[]>
  /** Takes back every approval of an app; its tokens are of no use from then on. 404 for one that has none of yours. */
  revoke(client_id: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/oauth/apps'

export function apps(http: Http): Apps {
  return {
    list: async (options = {}) => (await http.call<typeof routes.listOAuthApps>(`GET ${base}`, options)).apps,
    revoke: (client_id, options = {}) =>
      http.call<typeof routes.revokeOAuthApp>(`DELETE ${base}/{client_id}`, {
        ...options,
        params: { client_id },
      }),
  }
}
