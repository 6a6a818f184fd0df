import { type AuthType, field, keyOf, required, withHeaders, withQuery, wordOf } from './auth-type.ts'

/** A key in a header, or in a parameter of the query. */
export const apiKey: AuthType = {
  fields: () => required('key'),
  prepare: (request, signing) => {
    const key = field(signing, 'key')
    if (wordOf(signing.auth, 'in', ['header', 'query']) === 'query')
      return withQuery(request, keyOf(signing.auth, 'name', 'api_key'), key)
    return withHeaders(request, { [keyOf(signing.auth, 'name', 'X-API-Key')]: key })
  },
}
