import { userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { newCode } from './codes.ts'
import { plainEmail, type SignInContext } from '../context.ts'

/**
 * The token of a link that signs a person in once, within ten minutes, as that of a mail does: `verifyOtp` takes it
 * with `type` `magic_link`. For the operator, who shows it to that person; one that was made before is over.
 */
export async function newSignInLink(
  ctx: Pick<SignInContext, 'db' | 'vault' | 'now' | 'newId'>,
  { user_id }: { readonly user_id: string },
): Promise<string> {
  const user = await userCredentials.find(ctx.db, user_id)
  if (!user) throw new ServiceError('not_found', 'There is no such person; sign in again')
  const email = plainEmail(user.email)
  return (await newCode(ctx, { purpose: 'magic_link', email, usable: true })).link_token
}
