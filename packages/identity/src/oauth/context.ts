import type { BaseContext } from '@svc/context'

/** Context of the authorization server's verbs, without a principal: the caller is a client or a browser. */
export type OAuthContext = Pick<BaseContext, 'db' | 'vault' | 'now' | 'newId'>
