import { ServiceError } from '@svc/errors'
import { plainPassword } from '@svc/vault/password'

const minLength = 10

/** Refuses passwords that are guessed first; no rules on kinds of characters, which only make passwords alike. */
export function requireStrong(password: string, email: string): void {
  const text = plainPassword(password)
  const [local = ''] = email.split('@')
  const problem =
    [...text].length < minLength
      ? `must have at least ${minLength} characters`
      : new Set(text).size < 5
        ? 'must not repeat a few characters'
        : text.toLowerCase() === email || (local.length >= 4 && text.toLowerCase() === local)
          ? 'must not be your address'
          : null
  if (problem === null) return
  throw new ServiceError('weak_password', `The password ${problem}`, {
    issues: [{ path: 'password', message: problem }],
  })
}
