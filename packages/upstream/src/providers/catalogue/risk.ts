import type { Risk } from '@svc/connector'

const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** The risk of a request that nothing but its method describes. */
export function riskOfMethod(method: string): Risk {
  const upper = method.toUpperCase()
  if (reads.has(upper)) return 'read'
  return upper === 'DELETE' ? 'destructive' : 'write'
}
