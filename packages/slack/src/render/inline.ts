import type { Token } from 'markdown-it'
import { escaped } from './escape.ts'

interface Link {
  readonly href: string
  /** Its label is its own address. */
  readonly isBare: boolean
  label: string
}

const marks: Readonly<Record<string, string>> = { strong: '*', em: '_', s: '~' }
const maxUrl = 2_000

/** The words of a line with Slack's marks; `around` is about all of them. */
export function inline(tokens: readonly Token[], around = ''): string {
  const open = new Map<string, number>()
  const inside = () => [...open.keys()].join('')
  const outside = () => [...open.keys()].reverse().join('')
  let out = around
  let link: Link | null = null
  if (around !== '') open.set(around, 1)

  for (const token of tokens) {
    const [, tag = '', side] = /^(.*)_(open|close)$/.exec(token.type) ?? []
    const mark = marks[tag]
    if (token.type === 'link_open') link = linkOf(token)
    else if (token.type === 'link_close') {
      if (link !== null) out += linked(link.href, link.label)
      link = null
    } else if (link !== null) link.label += link.isBare ? '' : plain([token])
    else if (mark !== undefined) {
      const depth = (open.get(mark) ?? 0) + (side === 'open' ? 1 : -1)
      // A mark within the same mark would end it.
      if (depth === 0 || (depth === 1 && side === 'open')) out += mark
      if (depth === 0) open.delete(mark)
      else open.set(mark, depth)
    } else if (token.type === 'softbreak' || token.type === 'hardbreak')
      // Slack's marks hold on one line.
      out += `${outside()}\n${inside()}`
    else if (token.type === 'code_inline') out += code(token.content)
    else if (token.type === 'image') out += linked(String(token.attrGet('src') ?? ''), token.content)
    else out += escaped(token.content)
  }
  return out + around
}

/** The words alone, as they are. */
export function plain(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => (/break$/.test(type) ? ' ' : content))
    .join('')
    .replaceAll(/\s+/g, ' ')
}

function code(text: string): string {
  return `\`${escaped(text.replaceAll('`', '´').replaceAll(/\s+/g, ' '))}\``
}

function linkOf(token: Token): Link {
  const isBare = token.markup === 'linkify' || token.markup === 'autolink'
  return { href: String(token.attrGet('href') ?? ''), isBare, label: '' }
}

/** A page or an address of mail; of anything else the label alone, for `<!channel>` and `<@U1>` are written like links. */
function linked(href: string, label: string): string {
  const words = escaped(label.replaceAll('|', ' ').trim())
  if (!/^(https?:\/\/|mailto:)[^\s]/i.test(href) || href.length > maxUrl) return words || escaped(href)
  const url = escaped(href.replaceAll(/[<>|\s"]/g, (sign) => encodeURIComponent(sign)))
  return words === '' || words === url ? `<${url}>` : `<${url}|${words}>`
}
