import fc from 'fast-check'
import { isMapping } from '../raw.ts'

const replacements = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  70000,
  '',
  'x',
  'all',
  'none',
  'mcp',
  'cron',
  'monitor',
  'webhook',
  'poll',
  'stream',
  'channel',
  'computer',
  'default',
  'oauth1',
  'pinned',
  '../x',
  '/x',
  '30s',
  'a/b',
  '\n',
  '😀',
  [],
  ['x'],
  {},
  { a: 1 },
]

/** The data with one to three of its values replaced, taken away or moved under another name. */
export function mutated(data: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(data, [])
  const change = fc.record({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom('replace', 'remove', 'rename'),
    value: fc.oneof(fc.constantFrom(...replacements), fc.jsonValue({ maxDepth: 2 })),
    name: fc.oneof(fc.constantFrom('image', 'secret', 'type', 'mode', 'enabled', 'session_id'), fc.string()),
  })
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce(
        (result: unknown, { path, kind, value, name }) => changed(result, path, kind, value, name),
        data,
      ),
    )
}

function changed(
  data: unknown,
  path: readonly (string | number)[],
  kind: string,
  value: unknown,
  name: string,
): unknown {
  const [part, ...rest] = path
  if (part === undefined) return value
  if (Array.isArray(data)) {
    return data.flatMap((item: unknown, index) => {
      if (index !== part) return [item]
      if (rest.length > 0) return [changed(item, rest, kind, value, name)]
      return kind === 'remove' ? [] : [value]
    })
  }
  if (!isMapping(data)) return data
  const entries = Object.entries(data).flatMap(([key, item]): readonly [string, unknown][] => {
    if (key !== part) return [[key, item]]
    if (rest.length > 0) return [[key, changed(item, rest, kind, value, name)]]
    if (kind === 'remove') return []
    return kind === 'rename' && name !== '__proto__' ? [[name, item]] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

function pathsOf(
  data: unknown,
  path: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  const inside = Array.isArray(data) ? [...data.entries()] : isMapping(data) ? Object.entries(data) : []
  const own = path.length > 0 ? [path] : []
  return [...own, ...inside.flatMap(([part, value]) => pathsOf(value, [...path, part]))]
}
