import { expect, test } from 'vitest'
import { admitBuild } from './admit-build.ts'

const build = { needed: 8, newest: 10, version: '1.2.0' }

test.each([
  ['an empty database', { level: 0, min_reader: 0 }, 'behind'],
  ['a database one expand short', { level: 7, min_reader: 0 }, 'behind'],
  ['its own schema, a contract still to come', { level: 8, min_reader: 0 }, 'ready'],
  ['its own schema', { level: 10, min_reader: 8 }, 'ready'],
  ['the schema of a newer release that is being rolled out', { level: 12, min_reader: 10 }, 'newer'],
  ['a schema that lacks what it uses', { level: 12, min_reader: 11 }, 'too_old'],
])('%s', (_, state, kind) => {
  expect(admitBuild(state, build).kind).toBe(kind)
})

test('a refusal says what to do', () => {
  expect(admitBuild({ level: 3, min_reader: 0 }, build)).toEqual({
    kind: 'behind',
    message:
      'The database is at schema 3 and this build (1.2.0) needs 8. Run "node apps/api/dist/main.js migrate" with a role that owns the schema; nothing was changed.',
  })
  expect(admitBuild({ level: 12, min_reader: 11 }, build)).toEqual({
    kind: 'too_old',
    message:
      'This build (1.2.0) is too old for the database, which needs schema 11 or newer. Start the newer release, or restore a backup.',
  })
})
