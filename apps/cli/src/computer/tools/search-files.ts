import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidArguments, type LocalTool, objectSchema, optionalText, textArgument } from '../local-tool.ts'
import { confined, openReal, pathBelow } from './confined.ts'

const limits = { files: 20_000, file_bytes: 1024 * 1024, matches: 200, line_characters: 300 } as const
const left = new Set(['.git', 'node_modules'])

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Finds a text, as it stands, in files below a folder: `{ matches: [{ path, line, text }] }`, at most 200. Links are not followed. */
export function searchTool(root: string): LocalTool {
  return {
    action: 'files.search',
    title: 'Search in files',
    description:
      'Lines that hold a text, whatever its case; no pattern. Folders .git and node_modules are left out.',
    risk: 'read',
    input_schema: objectSchema(
      { query: { type: 'string', minLength: 1 }, path: { type: 'string', default: '.' } },
      ['query'],
    ),
    run: async (args, { signal }) => {
      const query = textArgument(args, 'query').toLowerCase()
      if (query === '') throw new InvalidArguments('`query` must not be empty')
      const start = await confined(root, optionalText(args, 'path') ?? '.')
      const matches: Match[] = []
      let files = 0
      for await (const place of filesBelow(start)) {
        signal.throwIfAborted()
        if (++files > limits.files || matches.length > limits.matches) break
        for (const { line, text } of await matchesIn(place, query))
          matches.push({ path: pathBelow(root, place), line, text })
      }
      const truncated = files > limits.files || matches.length > limits.matches
      return { data: { matches: matches.slice(0, limits.matches) }, truncated }
    },
  }
}

async function* filesBelow(place: string): AsyncGenerator<string> {
  if ((await stat(place)).isFile()) {
    yield place
    return
  }
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isFile()) yield join(place, entry.name)
    else if (entry.isDirectory() && !left.has(entry.name)) yield* filesBelow(join(place, entry.name))
  }
}

/** None in a file that is large, cannot be read or is no text. */
async function matchesIn(place: string, query: string): Promise<Omit<Match, 'path'>[]> {
  const file = await openReal(place).catch(() => null)
  if (file === null) return []
  try {
    const { size } = await file.stat()
    if (size > limits.file_bytes) return []
    const content = await file.readFile('utf8')
    if (content.includes('\0')) return []
    return content
      .split('\n')
      .flatMap((text, index) =>
        text.toLowerCase().includes(query)
          ? [{ line: index + 1, text: text.trim().slice(0, limits.line_characters) }]
          : [],
      )
  } finally {
    await file.close()
  }
}
