import type { Path, Place } from '../issue.ts'
import { error } from '../issue.ts'
import { valueAt } from '../raw.ts'
import { isTooLarge, startOfText, tooLargeMessage, unreadable, withoutByteOrderMark } from './source.ts'
import type { Source } from './source.ts'
import { placeOf, readYamlDocument } from './yaml-document.ts'
import { buildYamlTree } from './yaml-tree.ts'
import type { Spots } from './yaml-tree.ts'

/** Reads YAML 1.2 (core schema) into plain data. With a syntax error in it the text has no data at all. */
export function readYaml(text: string, max_tokens?: number): Source {
  if (isTooLarge(text)) return unreadable([error([], tooLargeMessage)])
  const read = readYamlDocument(withoutByteOrderMark(text), max_tokens)
  const { document, lines, findings: syntax, tokens } = read
  if (!document || syntax.some((finding) => finding.severity === 'error'))
    return { ...unreadable(syntax), tokens }

  const tree = buildYamlTree(document.contents)
  const findings = tree.findings.map((finding) => {
    const offset = tree.offsetOf(finding)
    return offset === undefined ? finding : { ...finding, place: placeOf(lines, offset) }
  })
  const top = document.contents?.range[0]
  const start = top === undefined ? startOfText : placeOf(lines, top)
  return {
    data: tree.data,
    findings: [...syntax, ...findings],
    locate: (path) => locate(tree.data, tree.spots, path, (offset) => placeOf(lines, offset)) ?? start,
    tokens,
  }
}

/** The place of the last part of the path that exists: for a missing key, the mapping that should hold it. */
function locate(
  data: unknown,
  spots: ReadonlyMap<object, Spots>,
  path: Path,
  place: (offset: number) => Place,
): Place | undefined {
  let here = data
  let found: Place | undefined
  for (const [index, part] of path.entries()) {
    const known = typeof here === 'object' && here !== null ? spots.get(here) : undefined
    const spot = known?.get(part)
    if (!spot) break
    found = place(index === path.length - 1 ? spot.value : spot.key)
    here = valueAt(here, [part])
  }
  return found
}
