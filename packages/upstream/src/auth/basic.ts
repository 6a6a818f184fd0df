import { type AuthType, field, required, withHeaders } from './auth-type.ts'

/** `Authorization: Basic` of RFC 7617, in UTF-8. */
export const basic: AuthType = {
  // Many services take a key as the name, and no password.
  fields: () => [...required('username'), { name: 'password', required: true, may_be_empty: true }],
  check: ({ username }): Record<string, string> =>
    username?.includes(':') ? { username: 'must hold no colon, which ends the name' } : {},
  prepare: (request, signing) => {
    const pair = `${field(signing, 'username')}:${signing.credential['password'] ?? ''}`
    return withHeaders(request, { authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  },
}
