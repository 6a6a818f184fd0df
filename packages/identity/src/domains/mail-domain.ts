import { domainToASCII } from 'node:url'
import { ServiceError } from '@svc/errors'
import wellKnown from 'email-providers/common.json' with { type: 'json' }
import { parse } from 'tldts'

/** Public mail providers that the list lacks. */
const more = ['googlemail.com', 'fastmail.com', 'tutanota.com']
const publicMail: ReadonlySet<string> = new Set([...wellKnown, ...more])

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const wellFormed = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`)

/** A domain as name servers know it: small letters, Punycode, no dot at the end. Null for other text. */
export function mailDomain(text: string): string | null {
  const plain = text.trim().replace(/\.$/, '')
  if (/[\s/@:?#\\[\]%]/.test(plain)) return null
  const domain = domainToASCII(plain.toLowerCase())
  return wellFormed.test(domain) ? domain : null
}

/** The domain behind the last `@`; null for text that is no address. */
export function domainOfAddress(email: string): string | null {
  const at = email.lastIndexOf('@')
  return at < 0 ? null : mailDomain(email.slice(at + 1))
}

/** The domain, if one account may have it for itself. Throws `domain_not_allowed` (400). */
export function claimableDomain(text: string): string {
  const domain = mailDomain(text)
  if (domain === null) throw notAllowed('Give a mail domain, such as acme.example')
  const { isIp, publicSuffix } = parse(domain, { allowPrivateDomains: true })
  if (isIp) throw notAllowed('An address is no mail domain; give its name')
  if (publicSuffix === domain)
    throw notAllowed(
      `${domain} is a public suffix, below which every person may register names; give a domain of your own`,
    )
  if (publicMail.has(domain))
    throw notAllowed(`${domain} is a public mail domain; give a domain that is yours alone`)
  return domain
}

function notAllowed(message: string): ServiceError {
  return new ServiceError('domain_not_allowed', message, { issues: [{ path: 'domain', message }] })
}
