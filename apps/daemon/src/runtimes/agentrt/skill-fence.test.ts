import { expect, test } from 'vitest'
import { fencesFor } from './skill-fence.ts'

const rule = (text: string) => {
  const [permission = '', pattern = '', action = ''] = text.split(' ')
  return { permission, pattern, action }
}
const fence = ['skill * deny', 'skill notes allow']

test.each<[string, string[], string | null]>([
  ['what the session says alone', ['* * allow', ...fence], null],
  ['nothing of skills', ['* * allow', 'bash * ask'], 'skill*'],
  ['a file that allows all', [...fence, 'skill * allow'], 'skill*'],
  ['a file that asks', [...fence, 'skill other ask'], 'skill*'],
  ['a file that allows everything', [...fence, '* * allow'], 'skill*'],
  ['a pattern for the permission', [...fence, 'sk?l* other allow'], 'skill*'],
  ['a pattern for the name', [...fence, 'skill n* allow'], 'skill*'],
  ['a file that forbids', [...fence, 'skill notes deny'], null],
  ['a file that allows what is granted', [...fence, 'skill notes allow'], null],
  ['another permission', [...fence, 'skills * allow', 'bash * allow'], null],
  ['a fence behind the file', [...fence, 'skill * allow', 'skill* * deny', 'skill* notes allow'], null],
  ['keys that the file took', [...fence, 'skill * allow', 'skill* x deny', 'skill** y deny'], 'skill***'],
])('%s', (_, rules, key) => {
  const agents = [{ name: 'coder', permission: rules.map(rule) }]
  expect(fencesFor(agents, ['notes'], {})).toEqual(key === null ? {} : { coder: key })
})

test('a fence that did not help gives way to another', () => {
  const agents = [{ name: 'coder', permission: [...fence, 'skill * allow'].map(rule) }]
  expect(fencesFor(agents, ['notes'], { coder: 'skill*' })).toEqual({ coder: 'skill**' })
})
