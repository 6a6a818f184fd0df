import { ServiceError } from '@svc/errors'
import { isObject, type JsonObject } from './json.ts'
import { doubledKeys } from './members.ts'

/** A request as it came, and as it is read. */
export interface Body {
  readonly text: string
  readonly value: JsonObject
}

/** The body of a request to any dialect. */
export function parseBody(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('malformed_json', 'The body is not JSON; check its quotes and commas')
  }
  if (!isObject(value)) throw invalid('', 'the body is not an object')
  const [doubled] = doubledKeys(text)
  if (doubled !== undefined) throw invalid(doubled, 'stands twice in the body')
  return { text, value }
}

export function invalid(field: string, message: string): ServiceError {
  return new ServiceError('invalid_request', field === '' ? message : `${field}: ${message}`, { field })
}

/** A call whose cost no field of it bounds. */
export function notBounded(field: string): ServiceError {
  return new ServiceError(
    'cost_not_bounded',
    `${field}: no limit bounds the cost of this; leave it out of calls that a budget pays for`,
    { field },
  )
}

/** A whole number of a body; null where it is left out. */
export function wholeNumber({ value }: Body, field: string, least: number, top: number): number | null {
  const said = value[field] ?? null
  if (said === null) return null
  if (typeof said === 'number' && Number.isInteger(said) && said >= least && said <= top) return said
  throw invalid(field, `must be a whole number from ${least} to ${top}`)
}

/** An output limit of a body; null where it is left out. */
export function limitIn(body: Body, field: string): number | null {
  return wholeNumber(body, field, 1, 1_000_000_000)
}

export function flag({ value }: Body, field: string): boolean {
  const said = value[field] ?? false
  if (typeof said === 'boolean') return said
  throw invalid(field, 'must be true or false')
}

/** The model that a body names; null for the default one. */
export function modelIn({ value }: Body): string | null {
  const said = value['model'] ?? null
  if (said === null || said === 'auto') return null
  if (typeof said === 'string' && said !== '') return said
  throw invalid('model', 'must be the name of a model')
}
