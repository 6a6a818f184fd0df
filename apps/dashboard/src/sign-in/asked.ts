/** The request of this tab to the authorization server, to know its answer by. */
export interface Asked {
  readonly state: string
  readonly verifier: string
  /** The page of the dashboard to go on with. */
  readonly return_to: string
}

const key = 'svc.asked'

export function keepAsked(asked: Asked): void {
  sessionStorage.setItem(key, JSON.stringify(asked))
}

/** Once: an answer that comes again is none. */
export function takeAsked(): Asked | null {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isAsked(value) ? value : null
  } catch {
    return null
  }
}

function isAsked(value: unknown): value is Asked {
  if (typeof value !== 'object' || value === null) return false
  if (!('state' in value && 'verifier' in value && 'return_to' in value)) return false
  return [value.state, value.verifier, value.return_to].every((text) => typeof text === 'string')
}
