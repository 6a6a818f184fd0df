const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/
/** Lines that look like a heading of the transcript itself. */
const ownHeading = /^( {0,3})(#{1,2} +(Prompt|Agent) ·)/
/** HTML that goes on past empty lines, until an end that may never come. */
const openHtml = /^( {0,3})<(?=!--|\?|![a-z]|!\[CDATA\[|(script|pre|style|textarea)\b)/i

/**
 * Markdown as a part of a longer text: blocks that it opens end with it, it passes for no other author, and a terminal
 * that shows it obeys none of it.
 */
export function containedMarkdown(text: string): string {
  let fence: string | null = null
  const lines = withoutControls(text)
    .split('\n')
    .map((line) => {
      const [, marks = '', rest = ''] = fenceLine.exec(line) ?? []
      if (fence !== null) {
        if (marks.startsWith(fence) && rest.trim() === '') fence = null
        return line
      }
      if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) {
        fence = marks
        return line
      }
      return line.replace(ownHeading, '$1\\$2').replace(openHtml, '$1\\<')
    })
  return [...lines, ...(fence === null ? [] : [fence])].join('\n')
}

/** Without control characters and marks that turn the direction of text; tabs and line ends stay. */
export function withoutControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
