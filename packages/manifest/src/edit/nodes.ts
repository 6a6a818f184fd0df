import { isMap, isScalar, isSeq } from 'yaml'
import type { Node, Pair, YAMLMap } from 'yaml'

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyText(pair) === key)
}

export function keyText(pair: Pair): string | undefined {
  return isScalar(pair.key) && typeof pair.key.value === 'string' ? pair.key.value : undefined
}

export function isNode(
  value: unknown,
): value is Node & { readonly range: readonly [number, number, number] } {
  return (isScalar(value) || isMap(value) || isSeq(value)) && Array.isArray(value.range)
}

export function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

export function endOf(node: Node): number {
  return node.range?.[1] ?? 0
}
