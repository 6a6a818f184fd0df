import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { botScopes } from './slack-app.ts'

test('the scopes are those that the adapter of Slack checks', () => {
  const source = new URL('../../../../../../packages/slack/src/web/scopes.ts', import.meta.url)
  const checked = [...readFileSync(source, 'utf8').matchAll(/^ {2}'([a-z_]+:[a-z]+)':/gm)]
  expect(checked.map(([, scope]) => scope)).toEqual([...botScopes])
})
