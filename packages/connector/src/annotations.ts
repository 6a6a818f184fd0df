import type { Risk } from './shapes.ts'

/** An MCP tool's own annotations decide on its risk: of one that claims nothing the worst is assumed. */
export function riskOfAnnotations(annotations: Readonly<Record<string, unknown>> = {}): Risk {
  if (annotations['readOnlyHint'] === true) return 'read'
  return annotations['destructiveHint'] === false ? 'write' : 'destructive'
}
