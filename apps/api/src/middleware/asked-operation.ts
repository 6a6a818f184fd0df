import { adminOperations, type Operation, operations } from '@svc/contract'
import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'
import { answeredRoute } from './answered-route.ts'

/** The operations by method and path, as the router writes them. */
const known: ReadonlyMap<string, Operation> = new Map(
  [...operations, ...adminOperations].map((operation) => [
    `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  ]),
)

/** The operation of the contract that the request asks for. */
export function askedOperation(c: Context<AppEnv>): Operation | undefined {
  return known.get(`${c.req.method} ${answeredRoute(c) ?? ''}`)
}
