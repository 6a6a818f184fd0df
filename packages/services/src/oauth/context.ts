import type { BaseContext } from '../context.ts'

/** What the verbs of the authorization server run with: nobody of ours asks, a client or a browser does. */
export type OAuthContext = Pick<BaseContext, 'db' | 'vault' | 'now' | 'newId'>
