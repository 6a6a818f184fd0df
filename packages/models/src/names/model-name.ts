/** The provider of the platform itself: the scripted model, or the one model that the operator's settings name. */
export const ownProvider = 'svc'

/** A model of a provider. */
export interface ModelName {
  readonly provider: string
  readonly id: string
}

/** The name as it is listed, asked for and logged: `provider/model`; the platform's own model is its bare id. */
export function modelText({ provider, id }: ModelName): string {
  return provider === ownProvider ? id : `${provider}/${id}`
}

/** A name without the `svc/` that runtimes write before every id: `svc/<id>` and `<id>` mean the same. */
export function withoutOwnPrefix(name: string): string {
  return name.startsWith(`${ownProvider}/`) ? name.slice(ownProvider.length + 1) : name
}

/** A name parted at its first slash; null for a bare id. */
export function splitModelName(name: string): ModelName | null {
  const slash = name.indexOf('/')
  return slash < 1 || slash === name.length - 1
    ? null
    : { provider: name.slice(0, slash), id: name.slice(slash + 1) }
}
