/** Readers of an event's payload: what is not of their kind is nothing. */

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function maybe(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function maybeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function number(value: unknown): number {
  return maybeNumber(value) ?? 0
}

export function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}
