const titleLength = 60

/** Words of the platform before those of a person or a trigger: who wrote where, or that values came from outside. */
const heads = [
  /^[^\n]+ \([^)\n]+\) wrote in [^\n]+:\n\n/,
  /^Values in the message below came from outside this project\.[^\n]*\n\n/,
]

/** The first line of a request, short enough for a title, without what a terminal or a page could misread. */
export function titleOf(request: string): string {
  const plain = ownWords(request).replaceAll(/[^\P{C}\n]/gu, ' ')
  const line =
    plain
      .split('\n')
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
      .find((text) => text !== '') ?? 'Change'
  const [...letters] = line
  return letters.length <= titleLength
    ? line
    : `${letters
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`
}

const ownWords = (request: string): string => heads.reduce((text, head) => text.replace(head, ''), request)

/** The file that a request names, or one that is named after the request. */
export function fileFor(request: string): string {
  const named =
    /\b(?:add|create|make|write)\b[^.\n]*?\bfile\s+(?:named\s+|called\s+)?[`"']?([A-Za-z0-9][\w-]*(?:\/[A-Za-z0-9][\w-]*)*\.(?:md|txt))\b/i.exec(
      ownWords(request),
    )?.[1]
  if (named !== undefined) return named
  const slug = titleOf(request)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return slug === '' ? 'NOTES.md' : `notes/${slug}.md`
}

/** One word for a POSIX shell, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The last lines of what a tool said, enough to see why it failed. */
export function tail(text: string): string {
  const lines = text.trim().split('\n').slice(-5).join('\n')
  return lines.length <= 500 ? lines : `…${lines.slice(-500)}`
}
