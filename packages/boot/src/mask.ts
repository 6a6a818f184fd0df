const hidden = '***'

/** Tokens of the platform, credentials of HTTP, passwords in URLs and secrets in queries, wherever they stand in a text. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(svc_(?:pat|sa|oat|ort|gw|scim|sbx|inv|usr|urt|lnk|prv)_)[0-9A-Za-z]+/g, `$1${hidden}`],
  [/\b(Bearer|Basic) +[0-9A-Za-z._~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*):[^\s/@"']+@/gi, `$1:${hidden}@`],
  [
    /([?&](?:access_token|refresh_token|id_token|token|code|client_secret|secret|signature|api_key|password)=)[^&\s"'#\\]+/gi,
    `$1${hidden}`,
  ],
]

export function maskSecrets(text: string): string {
  return secretTexts.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}

const secretNames =
  /(^|[_-])(authorization|cookie|password|passwd|passphrase|secret|secrets|token|apikey|credential|credentials|private[_-]?key|api[_-]?key|master[_-]?keys?|secret[_-]?key|access[_-]?key|data[_-]?key|service[_-]?key)$/i

/** True when the value kept under this name is a secret, as a variable, a header or a field. */
export function secretName(name: string): boolean {
  return secretNames.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'))
}

/** A copy fit for a log: a value under a secret name is hidden, and depth and width have an end. */
export function maskFields(value: unknown, describeError: (error: Error) => object, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > 6) return '[deeper]'
  if (value instanceof Error) return maskFields(describeError(value), describeError, depth + 1)
  if (value instanceof Date || Buffer.isBuffer(value)) return Buffer.isBuffer(value) ? '[bytes]' : value
  if (Array.isArray(value))
    return value.slice(0, 100).map((item) => maskFields(item, describeError, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretName(name) && field !== undefined && field !== null
        ? hidden
        : maskFields(field, describeError, depth + 1),
    ]),
  )
}
