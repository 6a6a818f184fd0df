import { type AuthType, field, required, withHeaders } from './auth-type.ts'

/** `Authorization: Bearer`, also with the access token of OAuth. */
export const bearer: AuthType = {
  fields: () => required('token'),
  prepare: (request, signing) => {
    const token = signing.credential['access_token'] ?? field(signing, 'token')
    return withHeaders(request, { authorization: `Bearer ${token}` })
  },
}
