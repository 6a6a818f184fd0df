import { expect, test } from 'vitest'
import { isCron, isDue } from './is-due.ts'

const daily = '0 0 3 * * *'
const at = (time: string) => new Date(`2026-11-25T${time}Z`)
const row = (state: 'running' | 'done' | 'failed', started_at: Date) => ({ state, started_at })
const yesterday = new Date('2026-11-24T03:00:01Z')

test.each([
  ['the first one is due at once', [], '12:00:00', true],
  ['before the hour none is', [row('done', yesterday)], '02:59:59', false],
  ['at the hour one is', [row('done', yesterday)], '03:00:00', true],
  ['a slot that nobody was there for is made up', [row('done', yesterday)], '17:00:00', true],
  ['one that was taken since the hour is enough', [row('done', at('03:00:02'))], '17:00:00', false],
  [
    'one that was asked for since is as well',
    [row('done', at('09:30:00')), row('done', yesterday)],
    '10:00:00',
    false,
  ],
  [
    'one that failed is not tried again at once',
    [row('failed', at('03:00:02')), row('done', yesterday)],
    '03:10:00',
    false,
  ],
  [
    'but after a quarter of an hour',
    [row('failed', at('03:00:02')), row('done', yesterday)],
    '03:15:02',
    true,
  ],
  ['the first that failed waits as long', [row('failed', at('03:00:02'))], '03:10:00', false],
  [
    'and not for a success of before the failure',
    [row('failed', at('09:00:00')), row('done', at('03:00:02'))],
    '17:00:00',
    false,
  ],
] as const)('%s', (_, earlier, now, due) => expect(isDue(daily, earlier, at(now))).toBe(due))

test.each([
  [daily, true],
  ['*/10 * * * * *', true],
  ['0 3 * * *', false],
  ['0 0 25 * * *', false],
  ['daily', false],
])('%j is a schedule: %s', (text, good) => expect(isCron(text)).toBe(good))
