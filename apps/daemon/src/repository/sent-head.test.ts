import { describe, expect, it } from 'vitest'
import { readSentHead } from './sent-head.ts'

const sha = 'a'.repeat(40)

describe('readSentHead', () => {
  it('reads branches, their commits, and where history is cut', () => {
    const head = readSentHead(JSON.stringify({ refs: { main: sha, 'ä/b': sha }, shallow: [sha] }))
    expect(head.refs).toEqual(
      new Map([
        ['main', sha],
        ['ä/b', sha],
      ]),
    )
    expect(head.shallow).toEqual([sha])
  })

  it('knows an empty repository', () => {
    expect(readSentHead('{"refs":{},"shallow":[]}').refs.size).toBe(0)
  })

  it.each([
    'no JSON',
    '1',
    'null',
    '{}',
    '{"refs":null,"shallow":[]}',
    '{"refs":{},"shallow":"all"}',
    '{"refs":{},"shallow":["HEAD"]}',
    '{"refs":{"main":"HEAD"},"shallow":[]}',
    `{"refs":{"a b":"${sha}"},"shallow":[]}`,
    `{"refs":{"a\\nb":"${sha}"},"shallow":[]}`,
    `{"refs":{"":"${sha}"},"shallow":[]}`,
  ])('refuses %s', (line) => {
    expect(() => readSentHead(line)).toThrow()
  })
})
