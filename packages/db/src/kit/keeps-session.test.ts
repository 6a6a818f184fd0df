import { expect, test } from 'vitest'
import { readsBack } from './keeps-session.ts'

/** Connections to a server with a setting each, and who is given which for a statement. */
function pooled(clients: number, choose: (client: number, statement: number) => number) {
  const settings: unknown[] = []
  let statements = 0
  return Array.from({ length: clients }, (_, client) => ({
    query: async (text: string, values: readonly unknown[] = []) => {
      const connection = choose(client, statements)
      statements += 1
      if (text.includes('set_config')) settings[connection] = values[0]
      return { rows: [{ found: settings[connection] ?? null }] }
    },
  }))
}

test.each([
  ['a connection of its own', (client: number) => client, true],
  ['the one connection that is idle', () => 0, false],
  ['whichever is next', (_: number, statement: number) => statement % 3, false],
  [
    'another one after a while',
    (client: number, statement: number) => client + (statement > 7 ? 2 : 0),
    false,
  ],
])('%s', async (_, choose, keeps) => {
  expect(await readsBack(pooled(2, choose))).toBe(keeps)
})
