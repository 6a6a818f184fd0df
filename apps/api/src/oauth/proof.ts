import type { ProvedPerson } from '@svc/identity'

const ofAccount = 'sso:'

/** The proofs behind a browser's sign-in, in the words that its session keeps. */
export function waysOf({ mfa, by_token, sso_account_id }: ProvedPerson): string[] {
  const way = by_token ? 'token' : sso_account_id === null ? 'pwd' : `${ofAccount}${sso_account_id}`
  return [way, ...(mfa ? ['mfa'] : [])]
}

/** The same, back from there. */
export function proofOf(ways: readonly string[] = []): Omit<ProvedPerson, 'user_id'> {
  const sso = ways.find((way) => way.startsWith(ofAccount))
  const sso_account_id = sso === undefined ? null : sso.slice(ofAccount.length)
  return { mfa: ways.includes('mfa'), by_token: ways.includes('token'), sso_account_id }
}
