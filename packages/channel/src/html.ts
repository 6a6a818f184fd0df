import MarkdownIt from 'markdown-it'

const parser = new MarkdownIt({ html: false, linkify: true })
// Addresses with `https:` only: `main.ts` is no page.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
// A picture that a reader fetched would say who reads.
parser.renderer.rules['image'] = (tokens, index) => {
  const src = String(tokens[index]?.attrGet('src') ?? '')
  return linkHtml(src, tokens[index]?.content || src)
}

/** Markdown in the tags that mail and Matrix both show. */
export const html = (markdown: string): string => parser.render(markdown).trimEnd()

export const escapedHtml = (text: string): string => parser.utils.escapeHtml(text)

export const linkHtml = (url: string, label: string): string =>
  parser.validateLink(url)
    ? `<a href="${escapedHtml(parser.normalizeLink(url))}">${escapedHtml(label)}</a>`
    : escapedHtml(label)
