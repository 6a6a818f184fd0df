const token = /<([^<>]*)>|&(amp|lt|gt);/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }
/** An id is of the API, which a user may name: none of its signs is one of a pattern. */
const bots = (user: string) =>
  new RegExp(`<@${user.replaceAll(/[^A-Za-z0-9]/g, '\\$&')}(?:\\|[^<>]*)?>[ \\t]*`, 'g')

/** A text of Slack as people read it: names of people, conversations and links in words. */
export function readable(text: string): string {
  return text.replaceAll(token, (_all, inside: string | undefined, entity: string | undefined) =>
    inside === undefined ? (entities[entity ?? ''] ?? '') : unescaped(inTags(inside)),
  )
}

/** Without the mention of the bot. */
export function withoutMention(text: string, user: string): string {
  return text.replaceAll(bots(user), '').trim()
}

export function mentions(text: string, user: string): boolean {
  return text.search(bots(user)) !== -1
}

/** The person that a text begins with. */
export function firstMention(text: string): string | undefined {
  return /^\s*<@([A-Z0-9]+)(?:\|[^<>]*)?>/.exec(text)?.[1]
}

function inTags(inside: string): string {
  const bar = inside.indexOf('|')
  const [target, label] = bar < 0 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)]
  const rest = target.slice(1)
  switch (target[0]) {
    case '@':
      return withSign('@', label || rest)
    case '#':
      return withSign('#', label || rest)
    case '!':
      // `!here`, `!subteam^S123`, `!date^…`: the words that Slack shows instead stand after the bar.
      return label || withSign('@', rest.replace(/^subteam\^/, ''))
    default:
      return link(target, label)
  }
}

const withSign = (sign: string, name: string) => (name.startsWith(sign) ? name : sign + name)

function link(url: string, label: string): string {
  const bare = url.replace(/^(https?:\/\/|mailto:|tel:)/, '')
  if (label === '' || label === url || label === bare) return url.replace(/^(mailto:|tel:)/, '')
  return `${label} (${url})`
}

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt);/g, (_all, entity: string) => entities[entity] ?? '')
}
