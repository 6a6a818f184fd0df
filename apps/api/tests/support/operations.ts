import * as contract from '@svc/contract'

export type Operation = contract.Operation

/** Every route that asks for a credential of ours, so that a new one is tried the day it is written. */
export const operations: readonly Operation[] = contract.operations.filter(
  ({ access }) => access === null || !('public' in access),
)

/** The path with its parameters filled in: the project's, and one value for every other. */
export function fill(path: string, project: string, other: string): string {
  return path
    .replace('{project_id}', project)
    .replaceAll('{name}', 'NAME')
    .replaceAll('{tier}', 'small')
    .replaceAll('{sha}', 'a'.repeat(40))
    .replaceAll(/\{[a-z_]+\}/g, other)
}

/** The names of the parameters of a path, in its order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** The operation that makes the object which this path names by the parameter: a POST to the path before it. */
export function makerOf(path: string, parameter: string): Operation | undefined {
  const collection = path.slice(0, path.indexOf(`/{${parameter}}`))
  return contract.operations.find((one) => one.method === 'POST' && one.path === collection)
}

/** The query without which an operation is refused before it asks who calls. */
export function queryOf({ name }: Pick<Operation, 'name'>): string {
  if (name === 'readFile') return '?path=README.md'
  return /^remove(Account|Platform|)GatewayPrice$/.test(name) ? '?model=acme/great' : ''
}
