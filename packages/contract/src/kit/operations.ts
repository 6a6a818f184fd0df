import type { AccessRule } from '@svc/access'
import * as adminNouns from '../admin-nouns.ts'
import * as nouns from '../nouns.ts'
import { accessRule } from './access.ts'

export interface Operation {
  readonly name: string
  /** The method in capitals. */
  readonly method: string
  /** The path with its parameters in braces. */
  readonly path: string
  readonly has_body: boolean
  /** Null when the route forgot to state one; a test refuses that. */
  readonly access: AccessRule | null
}

/** Every route of the public contract. */
export const operations: readonly Operation[] = operationsOf(nouns)

/** Every route of the operator's surface. */
export const adminOperations: readonly Operation[] = operationsOf(adminNouns)

function operationsOf(all: object): Operation[] {
  const routes = Object.values(all).flatMap((noun) => Object.values<unknown>(Object(noun)))
  return routes.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    if (!('operationId' in value) || !('path' in value) || !('method' in value)) return []
    const { operationId: name, path, method } = value
    if (typeof name !== 'string' || typeof path !== 'string' || typeof method !== 'string') return []
    const request = 'request' in value ? value.request : undefined
    const has_body = typeof request === 'object' && request !== null && 'body' in request
    return [{ name, path, method: method.toUpperCase(), has_body, access: accessRule(value) }]
  })
}
