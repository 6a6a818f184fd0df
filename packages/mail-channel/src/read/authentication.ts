import { getDomain } from 'tldts'
import { withoutComments } from './headers.ts'

/** One method of an `Authentication-Results` header (RFC 8601). */
interface Result {
  readonly method: string
  readonly result: string
  readonly properties: ReadonlyMap<string, string>
}

/** The findings of the server under that name: the topmost of its headers, and no other. Null where there is none. */
export function resultsOf(headers: readonly string[], authserv_id: string): readonly Result[] | null {
  for (const header of headers) {
    const [head = '', ...rest] = split(withoutComments(header), ';')
    const [name = ''] = split(head.trim(), ' ')
    if (unquoted(name).toLowerCase() === authserv_id.toLowerCase()) return rest.flatMap(resultOf)
  }
  return null
}

function resultOf(text: string): Result[] {
  const [first = '', ...more] = split(
    text
      .replaceAll(/\s*=\s*/g, '=')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    ' ',
  )
  const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(first) ?? []
  if (method === undefined || result === undefined) return []
  const properties = new Map<string, string>()
  for (const part of more) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).toLowerCase()
    // The first one counts: what follows it may come from a text of the sender.
    if (at > 0 && !properties.has(name)) properties.set(name, unquoted(part.slice(at + 1)))
  }
  return [{ method: method.toLowerCase(), result: result.toLowerCase(), properties }]
}

/** Splits outside of quotes. */
function split(text: string, by: string): string[] {
  const parts = ['']
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '"') quoted = !quoted
    if (sign === by && !quoted) parts.push('')
    else parts[parts.length - 1] += sign === '\\' ? sign + (text[(at += 1)] ?? '') : sign
  }
  return parts
}

const unquoted = (text: string) => text.replaceAll(/^"|"$/g, '').replaceAll(/\\(.)/g, '$1')

/**
 * Whether the receiving server found that a mail is from that domain: by DMARC, or where the domain has no such rule by a
 * signature or a sender of the same organization.
 */
export function isAuthenticated(results: readonly Result[] | null, domain: string): boolean {
  if (results === null || domain === '') return false
  const ours = organization(domain)
  if (ours === null) return false
  const isOurs = (name: string | undefined) => name !== undefined && organization(domainPart(name)) === ours
  const dmarc = results.filter(({ method }) => method === 'dmarc')
  const about = (properties: Result['properties']) => properties.get('header.from')
  const passes = dmarc.some(
    ({ result, properties }) =>
      result === 'pass' && (about(properties) === undefined || isOurs(about(properties))),
  )
  if (passes) return true
  // The domain has a rule, which the mail does not meet.
  if (dmarc.some(({ result }) => result === 'fail' || result === 'pass')) return false
  return results.some(
    ({ method, result, properties }) =>
      result === 'pass' &&
      ((method === 'dkim' && isOurs(properties.get('header.d'))) ||
        (method === 'spf' && isOurs(properties.get('smtp.mailfrom')))),
  )
}

const domainPart = (text: string) => text.slice(text.lastIndexOf('@') + 1)

/** The domain that one organization registered; null for a public suffix. */
const organization = (domain: string): string | null => getDomain(domain, { allowPrivateDomains: true })
