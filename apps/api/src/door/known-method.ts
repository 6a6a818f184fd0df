const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method as a label: a caller may send any word as one. */
export function knownMethod(method = 'GET'): string {
  return methods.has(method) ? method : 'other'
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** True for a request that changes nothing. */
export function isRead(method: string): boolean {
  return reads.has(method)
}
