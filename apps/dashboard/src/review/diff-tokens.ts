import { type HunkData, type HunkTokens, markEdits, tokenize } from 'react-diff-view'
import { classOf, highlight, type Line } from './highlight.ts'

interface Node {
  readonly type: string
  readonly className?: string
  readonly value?: string
  readonly children?: readonly Node[]
}

/** Blocks of more lines are not compared word by word. */
const wordLines = 400

/** The tokens of a file's hunks: its colours where it has a grammar, and the words that changed. */
export async function diffTokens(hunks: readonly HunkData[], language: string | null): Promise<HunkTokens> {
  const own = [...hunks]
  const [before, after] = sides(own)
  const [old, now] = await Promise.all([highlight(before, language), highlight(after, language)])
  const enhancers =
    own.reduce((sum, { changes }) => sum + changes.length, 0) > wordLines ? [] : [markEdits(own)]
  if (old.length === 0 && now.length === 0) return tokenize(own, { enhancers })
  const coloured = new Map([
    [before, nodes(old, before)],
    [after, nodes(now, after)],
  ])
  const refractor = { highlight: (text: string) => coloured.get(text) ?? [{ type: 'text', value: text }] }
  // The library asks a highlighter of another name; it takes the same tree from this one.
  return tokenize(own, { highlight: true, refractor: refractor as never, language: '', enhancers })
}

/** Both sides as far as the hunks tell them, each line at its own number. */
function sides(hunks: readonly HunkData[]): readonly [string, string] {
  const before: string[] = []
  const after: string[] = []
  for (const { changes } of hunks) {
    for (const change of changes) {
      if (change.type === 'normal') {
        before[change.oldLineNumber - 1] = change.content
        after[change.newLineNumber - 1] = change.content
      } else if (change.type === 'delete') before[change.lineNumber - 1] = change.content
      else after[change.lineNumber - 1] = change.content
    }
  }
  const text = (lines: readonly string[]) => Array.from(lines, (line) => line ?? '').join('\n')
  return [text(before), text(after)]
}

function nodes(lines: readonly Line[], text: string): readonly Node[] {
  if (lines.length === 0) return [{ type: 'text', value: text }]
  return lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ type: 'text', value: '\n' }]),
    ...line.map(([value, kind]) =>
      kind === ''
        ? { type: 'text', value }
        : { type: 'token', className: classOf(kind), children: [{ type: 'text', value }] },
    ),
  ])
}
