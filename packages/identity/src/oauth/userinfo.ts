import { type Context, requireUser } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { findOAuthPerson } from './people.ts'

/** The person that the token acts as, as claims of OpenID Connect. */
export async function getUserinfo(ctx: Pick<Context, 'db' | 'principal'>) {
  const person = await findOAuthPerson(ctx, requireUser(ctx).user_id)
  if (!person)
    throw new ServiceError(
      'not_found',
      'This person belongs to no account; ask an owner of one for an invitation',
    )
  return { sub: person.user_id, email: person.email, name: person.name }
}
