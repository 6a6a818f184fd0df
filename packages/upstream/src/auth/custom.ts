import type { ConnectorAuth } from '@svc/manifest'
import { type AuthType, field, required, unusable, withHeaders, withQuery } from './auth-type.ts'

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]{0,63})\s*\}\}/g

/** Headers and parameters as the manifest writes them, with a field of the credential at each `{{ field }}`. */
export const custom: AuthType = {
  fields: (auth) => {
    const texts = [...Object.values(textsOf(auth, 'headers')), ...Object.values(textsOf(auth, 'query'))]
    const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name))
    return required(...new Set(names))
  },
  prepare: (request, signing) => {
    const filled = (texts: Readonly<Record<string, string>>) =>
      Object.entries(texts).map(
        ([name, text]) => [name, text.replace(placeholder, (_, one: string) => field(signing, one))] as const,
      )
    const withAll = filled(textsOf(signing.auth, 'query')).reduce(
      (made, [name, value]) => withQuery(made, name, value),
      request,
    )
    return withHeaders(withAll, Object.fromEntries(filled(textsOf(signing.auth, 'headers'))))
  },
}

function textsOf(auth: ConnectorAuth, key: 'headers' | 'query'): Record<string, string> {
  const value = auth[key] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw unusable(key, 'must be names with texts')
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (typeof text !== 'string') throw unusable(`${key}.${name}`, 'must be a text')
      return [name, text]
    }),
  )
}
