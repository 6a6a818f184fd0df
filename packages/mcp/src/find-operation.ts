import type { ApiDocument, ApiOperation } from './document.ts'

/** The operation of a method and a path: as the document writes the path, or with its parameters filled in. */
export function findOperation(
  { operations }: ApiDocument,
  method: string,
  path: string,
): ApiOperation | undefined {
  const wanted = path.split('/')
  return operations
    .filter((operation) => operation.method === method.toUpperCase())
    .flatMap((operation) => {
      const parts = operation.path.split('/')
      const fits =
        parts.length === wanted.length &&
        parts.every((part, index) => part === wanted[index] || (isParameter(part) && wanted[index] !== ''))
      return fits ? [{ operation, literal: parts.filter((part) => !isParameter(part)).length }] : []
    })
    .toSorted((a, b) => b.literal - a.literal)[0]?.operation
}

function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}')
}
