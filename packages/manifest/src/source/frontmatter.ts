import { error } from '../issue.ts'
import type { Place } from '../issue.ts'
import { readYaml } from './read-yaml.ts'
import { isTooLarge, tooLargeMessage, unreadable, withoutByteOrderMark } from './source.ts'
import type { Source } from './source.ts'

/** Reads the YAML between the `---` lines at the top of a Markdown file. Without them there is nothing to judge. */
export function readFrontmatter(text: string, max_tokens?: number): Source {
  if (isTooLarge(text)) return unreadable([error([], tooLargeMessage)])
  const body = withoutByteOrderMark(text)
  const opening = /^---[ \t]*\r?\n/.exec(body)
  if (!opening) return { data: {}, findings: [], locate: () => undefined }
  const rest = body.slice(opening[0].length)
  const closing = /^---[ \t]*\r?$/m.exec(rest)
  if (!closing)
    return unreadable([error([], 'the frontmatter opened by `---` is never closed by another `---`')])
  const source = readYaml(rest.slice(0, closing.index), max_tokens)
  return {
    ...source,
    data: source.data ?? (source.findings.length > 0 ? undefined : {}),
    findings: source.findings.map((finding) =>
      finding.place ? { ...finding, place: oneDown(finding.place) } : finding,
    ),
    locate: (path) => {
      const place = source.locate(path)
      return place && oneDown(place)
    },
  }
}

/** The file up to the end of its frontmatter, which has the verdict of the whole; the agent's own text is left out. */
export function frontmatterOnly(text: string): string {
  if (isTooLarge(text)) return text
  const body = withoutByteOrderMark(text)
  const opening = /^---[ \t]*\r?\n/.exec(body)
  if (!opening) return ''
  const closing = /^---[ \t]*\r?$/m.exec(body.slice(opening[0].length))
  return closing ? body.slice(0, opening[0].length + closing.index + closing[0].length) : body
}

function oneDown(place: Place): Place {
  return { line: place.line + 1, column: place.column }
}
