import type { Context } from '../context.ts'

/** What the verbs of the sign-in run with: nobody has said yet who they are. */
export type SignInContext = Pick<
  Context,
  'db' | 'vault' | 'settings' | 'log' | 'now' | 'newId' | 'trail' | 'mail'
>

/** Addresses differ in case alone for nobody. */
export function plainEmail(email: string): string {
  return email.trim().toLowerCase()
}
