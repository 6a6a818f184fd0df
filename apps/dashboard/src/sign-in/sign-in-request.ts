/** The request of this tab to the authorization server, to know its answer by. */
export interface SignInRequest {
  readonly state: string
  readonly verifier: string
  /** True when this browser is to stay signed in. */
  readonly keep: boolean
  /** The page of the dashboard to go on with. */
  readonly return_to: string
}

const key = 'svc.asked'

export function keepSignInRequest(request: SignInRequest): void {
  sessionStorage.setItem(key, JSON.stringify(request))
}

/** Once: an answer that comes again is none. */
export function takeSignInRequest(): SignInRequest | null {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isSignInRequest(value) ? value : null
  } catch {
    return null
  }
}

function isSignInRequest(value: unknown): value is SignInRequest {
  if (typeof value !== 'object' || value === null) return false
  if (!('state' in value && 'verifier' in value && 'return_to' in value && 'keep' in value)) return false
  if (typeof value.keep !== 'boolean') return false
  return [value.state, value.verifier, value.return_to].every((text) => typeof text === 'string')
}
