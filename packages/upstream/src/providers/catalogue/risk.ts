import type { Risk } from '@svc/connector'

const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** The risk of a request that nothing but its method describes. */
export function riskOfMethod(method: string): Risk {
  const upper = method.toUpperCase()
  if (reads.has(upper)) return 'read'
  return upper === 'DELETE' ? 'destructive' : 'write'
}

/** `deleteUser`, `user_purge`, `removeAll`: a name that says that something goes. */
export function isDestructiveName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => /^(?:delete|remove|destroy|purge|erase|drop|wipe|truncate)[sd]?$/.test(word))
}
