import MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { escaped } from './escape.ts'
import { inline, plain } from './inline.ts'

/** A part of a text that stands by itself. */
export interface Part {
  readonly text: string
  /** A block of code, without its fences. */
  readonly isCode: boolean
}

interface Node {
  readonly token: Token
  readonly children: Node[]
}

/** The one among the parsers that reads any text in a time that grows with its length alone. */
const parser = new MarkdownIt({ html: false, linkify: true })
// Addresses with `https:` only: `main.ts` is no page.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

const maxCell = 40

/** Markdown as Slack writes it, in parts: nothing in it names a person, a group or a conversation. */
export function mrkdwn(markdown: string): readonly Part[] {
  return tree(parser.parse(markdown, {}))
    .map(part)
    .filter(({ text }) => text.trim() !== '')
}

/** Code between fences, which it does not end by itself. */
export function fenced(code: string): string {
  return `\`\`\`\n${code.replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``
}

/** The tokens of markdown-it, which come one after another, each below the one that it is in. */
function tree(tokens: readonly Token[]): Node[] {
  const top: Node[] = []
  const open = [top]
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    const node = { token, children: [] }
    open.at(-1)?.push(node)
    if (token.nesting > 0) open.push(node.children)
  }
  return top
}

function part({ token, children }: Node): Part {
  if (token.type === 'fence' || token.type === 'code_block')
    return { text: escaped(token.content.trimEnd()), isCode: true }
  if (token.type === 'table_open') return { text: escaped(table(children)), isCode: true }
  return { text: block({ token, children }), isCode: false }
}

function block({ token, children }: Node): string {
  switch (token.type) {
    case 'heading_open':
      return inline(contentOf(children), '*')
    case 'paragraph_open':
      return inline(contentOf(children))
    case 'bullet_list_open':
      return children.map((item) => listItem('•', item)).join('\n')
    case 'ordered_list_open':
      return children.map((item, index) => listItem(`${numberOf(token) + index}.`, item)).join('\n')
    case 'blockquote_open':
      return indented(children.map(block).join('\n\n'), '> ')
    case 'fence':
    case 'code_block':
      return fenced(escaped(token.content.trimEnd()))
    case 'table_open':
      return fenced(escaped(table(children)))
    case 'hr':
      return '———'
    default:
      return children.map(block).join('\n')
  }
}

function contentOf(children: readonly Node[]): readonly Token[] {
  return children.flatMap(({ token }) => token.children ?? [])
}

function numberOf(list: Token): number {
  return Number(list.attrGet('start') ?? 1)
}

function listItem(sign: string, { children }: Node): string {
  const text = indented(children.map(block).join('\n'), '    ').trimStart()
  return `${sign} ${text.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ')}`
}

function table(children: readonly Node[]): string {
  const rows = children
    .flatMap((group) => group.children)
    .map((row) => row.children.map((cell) => plain(contentOf(cell.children))))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(maxCell, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  )
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return rows.map((row) => line(row).join(' | ').trimEnd()).join('\n')
}

function indented(text: string, before: string): string {
  return text
    .split('\n')
    .map((line) => before + line)
    .join('\n')
}
