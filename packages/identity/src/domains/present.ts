import type { AccountDomainRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { mailDomain } from './mail-domain.ts'

/** The record of the DNS that proves a claim. */
export function recordOf({ domain, challenge }: Pick<AccountDomainRow, 'domain' | 'challenge'>) {
  return {
    type: 'TXT' as const,
    name: `_svc-challenge.${domain}`,
    value: `svc-domain-verification=${challenge}`,
  }
}

export function presentDomain(row: AccountDomainRow) {
  const { domain, created_at, expires_at, verified_at } = row
  const status = verified_at === null ? ('pending' as const) : ('verified' as const)
  return { domain, status, record: recordOf(row), created_at, expires_at, verified_at }
}

/** The domain of a path, in whatever letters. */
export function domainOfPath(text: string): string {
  const domain = mailDomain(text)
  if (domain === null) throw unknownDomain()
  return domain
}

export function unknownDomain(): ServiceError {
  return new ServiceError('not_found', 'The account does not claim this domain; claim it first')
}

export function domainTaken(domain: string): ServiceError {
  return new ServiceError(
    'domain_taken',
    `Another account has proved that ${domain} is its own; ask its owner to give it up`,
  )
}

export function domainTarget(account_id: string, domain: string): string {
  return `accounts/${account_id}/domains/${domain}`
}
