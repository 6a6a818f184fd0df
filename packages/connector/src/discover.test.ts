import { expect, test } from 'vitest'
import { createDiscover, type DiscoverableAction } from './discover.ts'

const tool = (connector: string, action: string, description: string, title: string | null = null) =>
  ({ connector, action, title, description, risk: 'read' }) satisfies DiscoverableAction
const actions = [
  tool('tracker', 'listOpenIssues', 'Lists the issues that are open.'),
  tool('tracker', 'create_issue', 'Makes an issue.'),
  tool('mail', 'send', 'Sends a message to people.', 'Send mail'),
  tool('mail', 'search', 'Finds messages by their words.'),
  tool('rates', 'get', 'The rate of a currency on a day.'),
]
const names = (found: readonly DiscoverableAction[]) => found.map(({ action }) => action)
const discover = createDiscover(actions)

test.each([
  ['open issues', 'listOpenIssues'],
  ['create issue', 'create_issue'],
  ['send mail', 'send'],
  ['currency rates', 'get'],
  ['mesages serch', 'search'],
])('%s finds %s first', (query, action) => {
  expect(names(discover(query))[0]).toBe(action)
})

test('a connector narrows it, and so does a limit', () => {
  expect(new Set(discover('issue send', { connector: 'mail' }).map(({ connector }) => connector))).toEqual(
    new Set(['mail']),
  )
  expect(discover('issue', { limit: 1 })).toHaveLength(1)
})

test('an empty query finds the first ones, a stranger nothing', () => {
  expect(names(discover('', { connector: 'mail' }))).toEqual(['send', 'search'])
  expect(discover('zzzzqqqq')).toEqual([])
})

test('of thousands it answers 20', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    tool('big', `list_thing_${index}`, `Thing ${index}.`),
  )
  const search = createDiscover(many)
  expect(search('list thing')).toHaveLength(20)
  expect(search('list thing', { limit: 5000 })).toHaveLength(20)
  expect(names(search('thing 4321'))[0]).toBe('list_thing_4321')
})
