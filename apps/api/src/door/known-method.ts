const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method as a label: a caller may send any word as one. */
export function knownMethod(method = 'GET'): string {
  return methods.has(method) ? method : 'other'
}
