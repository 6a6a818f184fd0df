/** Additional data that ties the data key of each row of the identity to its place. */

/** The place that a person's secret is sealed to. */
export function totpPlace(user_id: string): readonly string[] {
  return ['sign-in-totp', user_id]
}

/** The place that the secret of an account's client is sealed to. */
export function accountSsoPlace(account_id: string): readonly string[] {
  return ['account-sso', account_id]
}

export function codePlace(code_id: string): readonly string[] {
  return ['sign-in-code', code_id]
}

export const oauthKeysPlace: readonly string[] = ['oauth']
