import { expect, test } from 'vitest'
import { transcriptMarkdown } from './transcript-markdown.ts'

const at = '2026-01-01T00:00:00.000Z'

test('prompts, answers, tools and errors, in order', () => {
  const tools = [{ tool: 'bash', status: 'completed', title: 'Lists files', input: {}, output: 'a\nb\n' }]
  const text = transcriptMarkdown('A session\n# of mine', [
    { message_id: 'p', role: 'user', at, text: 'List them', tools: [], error: null },
    { message_id: 'm', role: 'assistant', at, text: 'Here', tools, error: 'out of\nwords' },
  ])
  expect(text).toBe(`# A session # of mine

## Prompt · ${at}

List them

## Agent · ${at}

Here

- \`bash\` Lists files (completed)

\`\`\`
a
b
\`\`\`

**Error:** out of words
`)
})

test('no output ends its own block, and a long one is cut', () => {
  const output = '````\nnot the end\n````\n' + 'x'.repeat(5_000)
  const tools = [{ tool: 'bash', status: 'completed', title: null, input: {}, output }]
  const text = transcriptMarkdown('t', [
    { message_id: 'm', role: 'assistant', at, text: '', tools, error: null },
  ])
  expect(text.match(/^`{5}$/gm)).toHaveLength(2)
  expect(text).toContain('characters more')
})
