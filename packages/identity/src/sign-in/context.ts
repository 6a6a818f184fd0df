import type { IdentityContext } from '../context.ts'

/** The context that the verbs of the sign-in run with: the caller has not said yet who they are. */
export type SignInContext = Pick<
  IdentityContext,
  'db' | 'vault' | 'settings' | 'log' | 'now' | 'newId' | 'trail' | 'mail'
>

/** Addresses that differ in case alone belong to one person. */
export function plainEmail(email: string): string {
  return email.trim().toLowerCase()
}
