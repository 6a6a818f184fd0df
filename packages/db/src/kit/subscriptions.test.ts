import { expect, test } from 'vitest'
import { Subscriptions } from './subscriptions.ts'

test('a message reaches its own readers and those of all, and leaves nothing of those that are gone', () => {
  const subscriptions = new Subscriptions<string>()
  const heard: string[] = []
  const as = (name: string) => (message: string | null) => void heard.push(`${name} ${message}`)
  const stops = [
    subscriptions.add(as('one'), '1'),
    subscriptions.add(as('one again'), '1'),
    subscriptions.add(as('two'), '2'),
    subscriptions.add(as('all')),
  ]
  subscriptions.deliver('1', 'a')
  expect(heard.splice(0)).toEqual(['all a', 'one a', 'one again a'])
  subscriptions.deliverNothing()
  expect(heard.splice(0)).toEqual(['all null', 'one null', 'one again null', 'two null'])
  stops[0]?.()
  stops[0]?.()
  subscriptions.deliver('1', 'b')
  expect(heard.splice(0)).toEqual(['all b', 'one again b'])
  for (const stop of stops) stop()
  expect(subscriptions.isEmpty).toBe(true)
})
