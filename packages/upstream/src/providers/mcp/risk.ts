import type { Risk } from '@svc/connector'

/** A tool's own annotations decide: of one that claims nothing the worst is assumed. */
export function riskOf(annotations: Readonly<Record<string, unknown>> = {}): Risk {
  if (annotations['readOnlyHint'] === true) return 'read'
  return annotations['destructiveHint'] === false ? 'write' : 'destructive'
}
