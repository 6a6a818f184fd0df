import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** The packages in which a folder is a noun. */
const nouns = ['packages/context', 'packages/services', 'packages/identity'] as const
/** Every room whose folders import each other in no circle. */
const rooms = [...nouns, 'apps/daemon'] as const

/**
 * Folders that count as one: a session's status and its sandbox's move in one transaction, each by the other's rules, and a
 * wake, a stop and a prompt write to both.
 */
const slices: Readonly<Record<string, string>> = { sandboxes: 'sessions' }

type Sources = ReadonlyMap<string, string>

/** Every source of a package, by its path; what lies beside the folders (the context, the index) is of no noun. */
function sourcesOf(room: (typeof rooms)[number]): Sources {
  const folder = join(root, room, 'src')
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('testing/'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

function nounOf(file: string): string | null {
  const [folder = '', ...rest] = file.split('/')
  return rest.length === 0 ? null : (slices[folder] ?? folder)
}

/** The nouns that each noun imports from, types as well. */
function graphOf(files: Sources): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [file, text] of files) {
    const noun = nounOf(file)
    if (noun === null) continue
    const imported = graph.get(noun) ?? new Set()
    graph.set(noun, imported)
    for (const [, path = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
      const target = nounOf(posix.join(posix.dirname(file), path))
      if (target !== null && target !== noun) imported.add(target)
    }
  }
  return graph
}

/** The rest of the graph once every noun is taken away that imports none of the others, or that none of them imports. */
function circlesOf(files: Sources): string[] {
  const graph = graphOf(files)
  for (;;) {
    const imported = new Set([...graph.values()].flatMap((targets) => [...targets]))
    const free = [...graph].filter(([noun, targets]) => targets.size === 0 || !imported.has(noun))
    if (free.length === 0) return [...graph].map(([noun, targets]) => `${noun} -> ${[...targets].join(', ')}`)
    for (const [noun] of free) {
      graph.delete(noun)
      for (const targets of graph.values()) targets.delete(noun)
    }
  }
}

describe.each(rooms)('%s', (room) => {
  const sources = sourcesOf(room)

  test('the folders import each other in no circle', () => {
    expect(graphOf(sources).size).toBeGreaterThan(3)
    expect(circlesOf(sources)).toEqual([])
  })
})

describe.each(nouns)('%s', (room) => {
  const sources = sourcesOf(room)

  test('the context names the parts that it holds by their types alone', () => {
    const text = sources.get('context.ts') ?? ''
    expect(text).toMatch(/^import type .* from '\.\//m)
    expect(text).not.toMatch(/^import (?!type ).* from '\.\//m)
  })
})

test('a line that closes a circle is found, with the nouns that are in it', () => {
  const line = "import type { Planted } from '../sessions/planted.ts'\n"
  const planted = new Map([...sourcesOf('packages/services'), ['projects/planted.ts', line]])
  expect(circlesOf(planted)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^projects -> .*sessions/),
      expect.stringMatching(/^sessions -> .*projects/),
    ]),
  )
})
