import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Issue } from '../issue.ts'

export interface Fixture {
  readonly name: string
  readonly text: string
  /** as the marks `#! error path` say, on the line they stand on */
  readonly marked: readonly string[]
}

const folder = join(import.meta.dirname, '..', '..', 'fixtures')

export function fixtures(kind: 'valid' | 'invalid' | 'legacy'): readonly Fixture[] {
  return readdirSync(join(folder, kind))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, kind, name), 'utf8')
      return { name, text, marked: metadataOf(text) }
    })
}

export function fixture(kind: 'valid' | 'invalid' | 'legacy', name: string): string {
  return readFileSync(join(folder, kind, name), 'utf8')
}

/** Issues in the form of the marks. */
export function asMarks(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ line, severity, path }) => `${line}: ${severity} ${path}`).sort()
}

function metadataOf(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line
        .split('#! ')
        .slice(1)
        .map((mark) => `${index + 1}: ${mark.trim()}`),
    )
    .sort()
}
