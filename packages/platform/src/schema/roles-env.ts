import { readSettings } from '@svc/boot'
import { roles, type Role } from '@svc/db'
import { z } from 'zod'

/** The variable with the password of a role. */
export const passwordName = (role: Role): string =>
  `SVC_ROLE_PASSWORD_${role.replace('svc_', '').toUpperCase()}`

const password = z
  .string()
  .regex(/^[\x21-\x7e]{12,200}$/, 'must be 12 to 200 printable ASCII characters without spaces')
  .optional()
  .describe('the password of a role of PostgreSQL; a role keeps the one that it has when unset')

const Env = z.object(Object.fromEntries(roles.map((role) => [passwordName(role), password])))

export type Passwords = Readonly<Partial<Record<Role, string>>>

export function readPasswords(source: NodeJS.ProcessEnv): Passwords {
  const given = readSettings(Env, source)
  return Object.fromEntries(roles.map((role) => [role, given[passwordName(role)]]))
}
