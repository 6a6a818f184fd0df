import { isMap, isScalar, isSeq } from 'yaml'
import type { Document, YAMLMap, YAMLSeq } from 'yaml'
import type { Mapping } from '../raw.ts'
import type { KeyChange } from './changes.ts'
import { endOf, isNode, keyText, pairOf, startOf } from './nodes.ts'
import { renderInline, renderItem, renderPair, renderScalar } from './render.ts'
import type { Style } from './render.ts'
import type { Splice } from './text.ts'
import { columnOf, lineStart, linesAt, nextLine } from './text.ts'

/** Each of these finds the smallest edit of the text, or undefined where the layout is too unusual to be sure of one. */

export function appendEntry(
  text: string,
  document: Document,
  key: string,
  entry: Mapping,
  style: Style,
): readonly Splice[] | undefined {
  const root = document.contents
  if (!isMap(root) || root.flow === true) return undefined
  const pair = pairOf(root, key)
  if (!pair) {
    const end = nextLine(text, endOf(root))
    return [linesAt(text, end, `\n${key}:\n${renderItem(entry, 2, style)}`)]
  }
  const list = pair.value
  if (isSeq(list) && list.items.length > 0) {
    const last = list.items.at(-1)
    if (!isNode(last)) return undefined
    if (list.flow === true) return [{ from: endOf(last), to: endOf(last), text: `, ${renderInline(entry)}` }]
    const column = columnOf(text, startOf(list))
    return [linesAt(text, nextLine(text, endOf(last)), renderItem(entry, column, style))]
  }
  if (!isNode(pair.key) || !isNode(list)) return undefined
  const colon = text.indexOf(':', endOf(pair.key)) + 1
  const empty = Math.max(colon, endOf(list))
  return [
    { from: colon, to: empty, text: '' },
    linesAt(text, nextLine(text, empty), renderItem(entry, columnOf(text, startOf(pair.key)) + 2, style)),
  ]
}

export function removeEntry(
  text: string,
  document: Document,
  key: string,
  index: number,
): readonly Splice[] | undefined {
  const pair = isMap(document.contents) ? pairOf(document.contents, key) : undefined
  const list = pair?.value
  if (!pair || !isSeq(list) || !isNode(pair.key)) return undefined
  if (list.items.length === 1) {
    const colon = text.indexOf(':', endOf(pair.key)) + 1
    if (list.flow === true) return [{ from: startOf(list), to: endOf(list), text: '[]' }]
    const gone = linesOfItem(text, list, index)
    return gone && [{ from: colon, to: colon, text: ' []' }, gone]
  }
  if (list.flow !== true) {
    const gone = linesOfItem(text, list, index)
    return gone && [gone]
  }
  const span = spanInFlow(list.items, index)
  return span && [span]
}

export function changeEntry(
  text: string,
  document: Document,
  key: string,
  index: number,
  changes: readonly KeyChange[],
  style: Style,
): readonly Splice[] | undefined {
  const list = isMap(document.contents) ? pairOf(document.contents, key)?.value : undefined
  const item = isSeq(list) ? list.items[index] : undefined
  if (!isMap(item)) return undefined
  const splices: Splice[] = []
  for (const change of changes) {
    const at = item.items.findIndex((pair) => keyText(pair) === change.key)
    const splice =
      change.kind === 'remove'
        ? removeKey(text, item, at)
        : at === -1
          ? addKey(text, item, change, style)
          : replaceValue(text, item, at, change.value, style)
    if (!splice) return undefined
    splices.push(splice)
  }
  return splices
}

function replaceValue(
  text: string,
  item: YAMLMap,
  at: number,
  value: unknown,
  style: Style,
): Splice | undefined {
  const pair = item.items[at]
  if (!pair || !isNode(pair.key) || !isNode(pair.value)) return undefined
  const { key, value: old } = pair
  const multiline = text.slice(startOf(old), endOf(old)).includes('\n')
  if (item.flow === true) return { from: startOf(old), to: endOf(old), text: renderInline(value) }
  const inline = renderScalar(value, isScalar(old) ? old.type : undefined)
  if (inline !== undefined && isScalar(old) && !multiline) {
    return { from: startOf(old), to: endOf(old), text: startOf(old) === endOf(old) ? ` ${inline}` : inline }
  }
  const column = columnOf(text, startOf(key))
  const ownLines = text[endOf(old) - 1] === '\n'
  const rendered = renderPair(keyText(pair) ?? '', value, column, style).slice(column)
  return { from: startOf(key), to: endOf(old), text: ownLines ? rendered : rendered.trimEnd() }
}

function addKey(
  text: string,
  item: YAMLMap,
  { key, value }: { readonly key: string; readonly value: unknown },
  style: Style,
): Splice | undefined {
  const [first, last] = [item.items[0], item.items.at(-1)]
  if (!first || !last || !isNode(first.key) || !isNode(last.value)) return undefined
  if (item.flow === true) {
    return { from: endOf(last.value), to: endOf(last.value), text: `, ${key}: ${renderInline(value)}` }
  }
  const column = columnOf(text, startOf(first.key))
  return linesAt(text, nextLine(text, endOf(last.value)), renderPair(key, value, column, style))
}

function removeKey(text: string, item: YAMLMap, at: number): Splice | undefined {
  const [pair, next, previous] = [item.items[at], item.items[at + 1], item.items[at - 1]]
  if (!pair || !isNode(pair.key) || !isNode(pair.value)) return undefined
  if (at === 0)
    return isNode(next?.key) ? { from: startOf(pair.key), to: startOf(next.key), text: '' } : undefined
  if (item.flow === true) {
    return isNode(previous?.value)
      ? { from: endOf(previous.value), to: endOf(pair.value), text: '' }
      : undefined
  }
  return { from: lineStart(text, startOf(pair.key)), to: nextLine(text, endOf(pair.value)), text: '' }
}

/** The span from the line of the item's dash to the line after its last value. */
function linesOfItem(text: string, list: YAMLSeq, index: number): Splice | undefined {
  const item = list.items[index]
  if (!isNode(item)) return undefined
  const dash = text.lastIndexOf('-', startOf(item) - 1)
  const from = lineStart(text, dash)
  if (
    dash === -1 ||
    text.slice(from, dash).trim() !== '' ||
    text.slice(dash + 1, startOf(item)).trim() !== ''
  ) {
    return undefined
  }
  return { from, to: nextLine(text, endOf(item)), text: '' }
}

function spanInFlow(items: readonly unknown[], index: number): Splice | undefined {
  const [item, next, previous] = [items[index], items[index + 1], items[index - 1]]
  if (isNode(item) && isNode(next)) return { from: startOf(item), to: startOf(next), text: '' }
  return isNode(item) && isNode(previous) ? { from: endOf(previous), to: endOf(item), text: '' } : undefined
}
