import { platformNamePattern } from '@svc/facts'
import { isMap, isSeq, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { hasErrors } from '../issue.ts'
import { isMapping } from '../raw.ts'
import { readYaml } from '../source/read-yaml.ts'
import { sameData } from './changes.ts'
import { endOf, isNode, pairOf, startOf } from './nodes.ts'
import { renderScalar } from './render.ts'
import type { Splice } from './text.ts'
import { applySplices, columnOf, linesAt, nextLine } from './text.ts'

/**
 * The text of svc.yaml with a name in `env.optional`, the same text where it is declared already. A layout in which it
 * cannot be written safely stays as it is: then `readManifest` warns of it, as of one that was written by hand.
 */
export function declareSecret(text: string, name: string): string {
  const { data, findings } = readYaml(text)
  if (!isMapping(data) || hasErrors(findings) || platformNamePattern.test(name)) return text
  const env = data['env'] ?? {}
  if (!isMapping(env)) return text
  const [required, optional] = [env['required'] ?? [], env['optional'] ?? []]
  if (!Array.isArray(required) || !Array.isArray(optional)) return text
  if (required.includes(name) || optional.includes(name)) return text

  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(mark.length)
  const document = parseDocument(body, { schema: 'core', uniqueKeys: false, logLevel: 'silent' })
  const splice = spliceFor(body, document, renderScalar(name, undefined) ?? name)
  const written = splice === undefined ? text : mark + applySplices(body, [splice])
  const expected = { ...data, env: { ...env, optional: [...optional, name] } }
  return sameData(readYaml(written).data, expected) ? written : text
}

/** The smallest edit, or undefined where the layout is too unusual to be sure of one. */
function spliceFor(text: string, document: Document, name: string): Splice | undefined {
  const root = document.contents
  if (!isMap(root) || root.flow === true) return undefined
  const env = pairOf(root, 'env')
  if (!env) return linesAt(text, nextLine(text, endOf(root)), `\nenv:\n  optional: [${name}]\n`)
  if (!isMap(env.value)) {
    return isNode(env.key) && text.slice(endOf(env.key), nextLine(text, endOf(env.key))).trim() === ':'
      ? linesAt(text, nextLine(text, endOf(env.key)), `  optional: [${name}]\n`)
      : undefined
  }
  const optional = pairOf(env.value, 'optional')
  if (!optional) {
    const [first, last] = [env.value.items[0], env.value.items.at(-1)]
    if (!isNode(first?.key) || !isNode(last?.value)) return undefined
    if (env.value.flow === true)
      return { from: endOf(last.value), to: endOf(last.value), text: `, optional: [${name}]` }
    const margin = ' '.repeat(columnOf(text, startOf(first.key)))
    return linesAt(text, nextLine(text, endOf(last.value)), `${margin}optional: [${name}]\n`)
  }
  const list = optional.value
  if (!isSeq(list) || !isNode(list)) return undefined
  const last = list.items.at(-1)
  if (!isNode(last)) return { from: startOf(list), to: endOf(list), text: `[${name}]` }
  if (list.flow === true) return { from: endOf(last), to: endOf(last), text: `, ${name}` }
  const margin = ' '.repeat(columnOf(text, startOf(list)))
  return linesAt(text, nextLine(text, endOf(last)), `${margin}- ${name}\n`)
}
