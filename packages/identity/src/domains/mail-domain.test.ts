import { expect, test } from 'vitest'
import { claimableDomain, domainOfAddress, mailDomain } from './mail-domain.ts'

test.each([
  ['acme.example', 'acme.example'],
  [' ACME.example. ', 'acme.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['mail.acme.co.uk', 'mail.acme.co.uk'],
  ['acme.github.io', 'acme.github.io'],
  ['acme.internal', 'acme.internal'],
])('%j is the domain %s', (text, domain) => expect(claimableDomain(text)).toBe(domain))

test.each([
  ['nothing', ''],
  ['a label', 'acme'],
  ['an address of mail', 'ada@acme.example'],
  ['an address of the web', 'https://acme.example'],
  ['a path', 'acme.example/x'],
  ['a port', 'acme.example:53'],
  ['an empty label', 'acme..example'],
  ['a label with a hyphen at its end', 'acme-.example'],
  ['a label that is too long', `${'x'.repeat(64)}.example`],
  ['a name that is too long', `${'x.'.repeat(130)}example`],
  ['an underscore', '_dmarc.acme.example'],
  ['a wildcard', '*.acme.example'],
  ['two lines', 'acme.example\nb.example'],
  ['an IP address', '192.0.2.1'],
  ['a number that is one', '0x7f.1'],
  ['a public suffix', 'co.uk'],
  ['a public suffix of somebody', 'github.io'],
  ['a public mail domain', 'gmail.com'],
  ['the same in capitals', 'GoogleMail.com'],
])('%s is refused: %j', (_, text) => {
  expect(() => claimableDomain(text)).toThrow(expect.objectContaining({ code: 'domain_not_allowed' }))
})

test.each([
  ['ada@acme.example', 'acme.example'],
  ['ADA@Acme.Example', 'acme.example'],
  ['"x@acme.example"@evil.example', 'evil.example'],
  ['ada', null],
  ['ada@', null],
])('the domain of %j is %j', (email, domain) => expect(domainOfAddress(email)).toBe(domain))

test('a name that says nothing is none', () => expect(mailDomain('.')).toBeNull())
