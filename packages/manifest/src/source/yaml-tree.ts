import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Alias, Node, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Finding, Path } from '../issue.ts'
import { error, warning } from '../issue.ts'
import { manifestLimits, prototypeKeys } from '../limits.ts'
import { unstorable } from './source.ts'

/** The positions of the entries of one container: the offset of the key (or dash) and of the value. */
export type Spots = ReadonlyMap<string | number, { readonly key: number; readonly value: number }>

export interface YamlTree {
  readonly data: unknown
  readonly findings: readonly Finding[]
  /** by container, so that a value repeated through an alias leads back to where it is written */
  readonly spots: ReadonlyMap<object, Spots>
}

interface Built {
  readonly value: unknown
  /** the value and everything in it, aliases written out */
  readonly size: number
  readonly height: number
}

interface Work {
  readonly findings: Finding[]
  readonly spots: Map<object, Spots>
  readonly anchors: Map<string, Built | 'unfinished'>
  readonly offsets: Map<Finding, number>
  aliased: number
}

const tags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)
const nothing: Built = { value: null, size: 1, height: 0 }

/** Turns a composed document into plain data in one pass: each alias shares its anchor's value, within limits. */
export function buildYamlTree(
  root: ParsedNode | null,
): YamlTree & { offsetOf(finding: Finding): number | undefined } {
  const work: Work = { findings: [], spots: new Map(), anchors: new Map(), offsets: new Map(), aliased: 0 }
  const { value } = build(work, root, [])
  const { findings, spots, offsets } = work
  return { data: value, findings, spots, offsetOf: (finding) => offsets.get(finding) }
}

function build(work: Work, node: Node | null | undefined, path: Path): Built {
  if (!node) return nothing
  if (isAlias(node)) return buildAlias(work, node, path)
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
  if (anchor !== undefined) work.anchors.set(anchor, 'unfinished')
  if (node.tag !== undefined && !tags.has(node.tag)) {
    refuse(
      work,
      node,
      error(path, `the tag \`${node.tag}\` is not allowed; a manifest holds plain values only`),
    )
  }
  const built = isMap(node)
    ? buildMap(work, node, path)
    : isSeq(node)
      ? buildSeq(work, node, path)
      : isScalar(node)
        ? buildScalar(work, node, path)
        : nothing
  if (anchor !== undefined) work.anchors.set(anchor, built)
  return built
}

function buildAlias(work: Work, node: Alias, path: Path): Built {
  const target = work.anchors.get(node.source)
  if (target === undefined) {
    return refuse(
      work,
      node,
      error(path, `the alias \`*${node.source}\` has no anchor \`&${node.source}\` before it`),
    )
  }
  if (target === 'unfinished') {
    return refuse(work, node, error(path, `the alias \`*${node.source}\` stands inside the value it repeats`))
  }
  const refused = work.aliased > manifestLimits.aliased_values
  work.aliased += target.size
  if (refused) return nothing
  if (work.aliased > manifestLimits.aliased_values) {
    return refuse(work, node, error(path, `aliases repeat more than ${manifestLimits.aliased_values} values`))
  }
  if (path.length + target.height > manifestLimits.depth) {
    return refuse(work, node, error(path, `nested deeper than ${manifestLimits.depth} levels`))
  }
  return target
}

function buildScalar(work: Work, node: Scalar, path: Path): Built {
  const value = node.value
  const problem = typeof value === 'string' ? unstorable(value) : undefined
  if (problem !== undefined) return refuse(work, node, error(path, problem))
  return { value, size: 1, height: 0 }
}

function buildSeq(work: Work, node: YAMLSeq, path: Path): Built {
  const value: unknown[] = []
  const spots = new Map<number, { key: number; value: number }>()
  let size = 1
  let height = 0
  for (const [index, item] of node.items.entries()) {
    const child = isNodeLike(item) ? item : undefined
    const start = child?.range?.[0] ?? offsetOf(node)
    const built = build(work, child, [...path, index])
    value.push(built.value)
    spots.set(index, { key: start, value: start })
    size += built.size
    height = Math.max(height, built.height + 1)
  }
  work.spots.set(value, spots)
  return { value, size, height }
}

function buildMap(work: Work, node: YAMLMap, path: Path): Built {
  const value: Record<string, unknown> = {}
  const spots = new Map<string, { key: number; value: number }>()
  let size = 1
  let height = 0
  for (const pair of node.items) {
    const key = keyOf(work, node, pair, path)
    if (key === undefined) continue
    const child = isNodeLike(pair.value) ? pair.value : undefined
    const start = isNodeLike(pair.key) ? offsetOf(pair.key) : offsetOf(node)
    const built = build(work, child, [...path, key])
    if (spots.has(key)) {
      const first = `the key \`${key}\` is given twice`
      refuse(work, isNodeLike(pair.key) ? pair.key : node, error([...path, key], first))
      continue
    }
    value[key] = built.value
    spots.set(key, { key: start, value: child && isScalar(child) ? offsetOf(child) : start })
    size += built.size
    height = Math.max(height, built.height + 1)
  }
  work.spots.set(value, spots)
  return { value, size, height }
}

/** The key's text, or undefined (and a finding) for a key that no mapping of ours may hold. */
function keyOf(work: Work, map: YAMLMap, pair: Pair, path: Path): string | undefined {
  const node = isNodeLike(pair.key) ? pair.key : undefined
  if (!node || !isScalar(node)) {
    refuse(
      work,
      node ?? map,
      error(path, node ? 'a key must be a plain name' : 'a key is missing before `:`'),
    )
    return undefined
  }
  const key = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
  if (node.anchor !== undefined) work.anchors.set(node.anchor, { value: node.value, size: 1, height: 0 })
  if (prototypeKeys.has(key)) {
    refuse(work, node, error([...path, key], `the key \`${key}\` is not allowed`))
    return undefined
  }
  const problem = unstorable(key)
  if (problem !== undefined) {
    refuse(work, node, error(path, `a key ${problem}`))
    return undefined
  }
  if (key === '<<') {
    const message = 'merge keys (`<<`) are not read (YAML 1.2 has none); write the keys out'
    refuse(work, node, warning([...path, key], message))
  }
  return key
}

function refuse(work: Work, node: Node, finding: Finding): Built {
  work.findings.push(finding)
  work.offsets.set(finding, offsetOf(node))
  return nothing
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0
}

function isNodeLike(value: unknown): value is Node {
  return isAlias(value) || isMap(value) || isSeq(value) || isScalar(value)
}
