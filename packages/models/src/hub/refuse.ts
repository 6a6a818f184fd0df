import { ServiceError } from '@svc/errors'

/** Refuses a field that the other side has no word for, and that would change the answer. */
export function cannotTranslate(field: string): ServiceError {
  return new ServiceError(
    'cannot_translate',
    `${field}: the provider of this model cannot be asked this in its own format; leave it out, or use a model of a provider that speaks this one`,
    { field },
  )
}

/** Refuses the first of these fields that a body has and that is not what it is by default. */
export function refuseFields(
  value: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, readonly unknown[]>>,
): void {
  for (const [field, plain] of Object.entries(defaults)) {
    const said = value[field] ?? null
    const isPlain = said === null || plain.includes(said) || (Array.isArray(said) && said.length === 0)
    if (!isPlain) throw cannotTranslate(field)
  }
}
