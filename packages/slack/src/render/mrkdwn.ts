import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { escaped } from './escape.ts'

/** A part of a text that stands by itself. */
export interface Part {
  readonly text: string
  /** A block of code, whose fences belong to the message and not to the text. */
  readonly isCode: boolean
}

const parse = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
/** More of these in a row than people write would be read for a long time. */
const maxDepth = 20

/** Markdown as Slack writes it, in parts: nothing in it names a person, a group or a conversation. */
export function mrkdwn(markdown: string): readonly Part[] {
  if (isDeep(markdown)) return [{ text: escaped(markdown), isCode: false }]
  return fromMarkdown(markdown, parse)
    .children.map(part)
    .filter(({ text }) => text.trim() !== '')
}

function isDeep(markdown: string): boolean {
  const marks = markdown.match(/[>[\]*_~!`(<&]{21,}|(?:[>*+-][ \t]*){21,}/g) ?? []
  return marks.some((run) => !/^(.)\1*$/.test(run) || '>['.includes(run.charAt(0))) || indent(markdown)
}

const indent = (markdown: string) =>
  new RegExp(`(?:^|\\n)(?:[ \\t]*(?:[>*+-]|\\d+[.)])[ \\t]*){${maxDepth}}`).test(markdown)

function part(node: RootContent): Part {
  if (node.type === 'code') return { text: escaped(node.value), isCode: true }
  if (node.type === 'table') return { text: escaped(rows(node)), isCode: true }
  return { text: block(node), isCode: false }
}

function block(node: Nodes): string {
  switch (node.type) {
    case 'heading':
      return wrapped('*', inline(node.children, ['*']))
    case 'paragraph':
      return inline(node.children, [])
    case 'list':
      return list(node)
    case 'blockquote':
      return lines(node.children.map(block).join('\n\n'), '> ')
    case 'code':
      return fenced(escaped(node.value))
    case 'table':
      return fenced(escaped(rows(node)))
    case 'thematicBreak':
      return '———'
    case 'html':
      return escaped(node.value)
    case 'footnoteDefinition':
      return `[${escaped(node.identifier)}] ${node.children.map(block).join('\n')}`
    case 'definition':
    case 'yaml':
      return ''
    default:
      return inline([node as PhrasingContent], [])
  }
}

export const fenced = (code: string) => `\`\`\`\n${code.replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``

function list({ ordered, start, children }: List): string {
  return children
    .map((item, index) => {
      const number = `${(start ?? 1) + index}.`
      const box = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : ''
      const text = item.children.map(block).join('\n')
      return `${ordered ? number : '•'} ${box}${lines(text, '    ').trimStart()}`
    })
    .join('\n')
}

function inline(nodes: readonly PhrasingContent[], open: readonly string[]): string {
  return nodes.map((node) => one(node, open)).join('')
}

function one(node: PhrasingContent, open: readonly string[]): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return escaped(node.value)
    case 'strong':
      return marked('*', node.children, open)
    case 'emphasis':
      return marked('_', node.children, open)
    case 'delete':
      return marked('~', node.children, open)
    case 'inlineCode':
      return `\`${escaped(node.value).replaceAll('`', '´').replaceAll(/\s+/g, ' ')}\``
    case 'break':
      return '\n'
    case 'link':
      return link(node.url, inline(node.children, open))
    case 'image':
      return link(node.url, escaped(node.alt ?? ''))
    case 'linkReference':
      return inline(node.children, open)
    case 'imageReference':
      return escaped(node.alt ?? '')
    case 'footnoteReference':
      return `[${escaped(node.identifier)}]`
    default:
      return node satisfies never
  }
}

function marked(mark: string, nodes: readonly PhrasingContent[], open: readonly string[]): string {
  return open.includes(mark) ? inline(nodes, open) : wrapped(mark, inline(nodes, [...open, mark]))
}

/** Slack's marks hold on one line. */
function wrapped(mark: string, text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : `${mark}${line.trim()}${mark}`))
    .join('\n')
}

const maxUrl = 2_000

/** A page or an address of mail; of anything else the label alone, for `<!channel>` and `<@U1>` are written like links. */
function link(url: string, label: string): string {
  const text = label.replaceAll(/\s+/g, ' ').trim()
  if (!/^(https?:\/\/|mailto:)[^\s]/i.test(url) || url.length > maxUrl) return text
  const target = escaped(url.replaceAll(/[<>|\s"]/g, (sign) => encodeURIComponent(sign)))
  // A link in a label would end it.
  const words = text.replaceAll(/[<>|]/g, '')
  return words === '' || words === target ? `<${target}>` : `<${target}|${words}>`
}

function rows({ children }: Table): string {
  const cells = children.map((row) => row.children.map((cell) => plain(cell).replaceAll(/\s+/g, ' ').trim()))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.min(40, Math.max(...cells.map((row) => row[column]?.length ?? 0))),
  )
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
}

function plain(node: Nodes): string {
  if ('children' in node) return node.children.map(plain).join('')
  return 'value' in node ? node.value : ''
}

const lines = (text: string, before: string) =>
  text
    .split('\n')
    .map((line) => before + line)
    .join('\n')
