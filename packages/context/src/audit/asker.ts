import type { Principal } from '@svc/access'
import type { AuditAsker } from '@svc/db'
import type { Context } from '../context.ts'

/** The caller: the actor, the person it acts for, and the session, request, address or app that it comes through. */
export function askerOf({ principal, trail }: Pick<Context, 'principal' | 'trail'>): AuditAsker {
  return {
    actor: actorOf(principal),
    session_id: principal.type === 'session' ? principal.session_id : null,
    request_id: trail?.request_id ?? null,
    ip: trail?.ip ?? null,
    ...(principal.type === 'user' && principal.oauth ? { oauth_client_id: principal.oauth.client_id } : {}),
    ...(principal.type === 'user' && principal.channel ? { channel: principal.channel } : {}),
  }
}

/** The asker of work that was written down without one. */
export const askerFor = (user_id: string): AuditAsker => ({
  actor: { type: 'user', id: user_id, on_behalf_of: null },
  session_id: null,
  request_id: null,
  ip: null,
})

function actorOf(principal: Principal): AuditAsker['actor'] {
  const { type } = principal
  switch (type) {
    case 'user':
    case 'service':
      return { type, id: principal.user_id, on_behalf_of: null }
    case 'project':
      return { type, id: principal.token_id, on_behalf_of: principal.user_id }
    case 'session':
      return { type, id: principal.session_id, on_behalf_of: principal.user_id }
    case 'sandbox':
      return { type, id: principal.session_id, on_behalf_of: null }
    case 'gateway':
    case 'scim':
      return { type, id: principal.token_id, on_behalf_of: null }
  }
}
