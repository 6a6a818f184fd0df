import { isAbsolute, relative } from 'node:path'

/** A path in the workspace is told from its root; any other stays as it is. */
export function insideOf(workspace: string, path: string): string {
  const inside = relative(workspace, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}
