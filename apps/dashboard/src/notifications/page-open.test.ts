import { beforeEach, expect, test, vi } from 'vitest'
import { notificationsWanted, switchNotifications, takeUntold } from './page-open.ts'

const item = (item_id: string, version = '1') => ({ item_id, version })
const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  return () => vi.unstubAllGlobals()
})

function browserThat(answer: 'granted' | 'denied') {
  vi.stubGlobal('Notification', { permission: answer, requestPermission: () => Promise.resolve(answer) })
}

test('none is wanted until the person switched them on and the browser allowed it', async () => {
  browserThat('denied')
  expect(await switchNotifications(true, [])).toBe(false)
  expect(notificationsWanted()).toBe(false)
  browserThat('granted')
  expect(notificationsWanted()).toBe(false)
  expect(await switchNotifications(true, [])).toBe(true)
  expect(notificationsWanted()).toBe(true)
  expect(await switchNotifications(false, [])).toBe(false)
  expect(notificationsWanted()).toBe(false)
})

test('each version of an item is told once, and what waited before not at all', async () => {
  browserThat('granted')
  await switchNotifications(true, [item('permission:a')])
  expect(takeUntold([item('permission:a'), item('question:b')])).toEqual([item('question:b')])
  expect(takeUntold([item('permission:a'), item('question:b')])).toEqual([])
  expect(takeUntold([item('permission:a', '2')])).toEqual([item('permission:a', '2')])
})

test('what another program left in its place counts as nothing', () => {
  kept.set('svc.notified', '{"not": "a list"}')
  expect(takeUntold([item('a')])).toEqual([item('a')])
  kept.set('svc.notified', 'no json')
  expect(takeUntold([item('a')])).toEqual([item('a')])
})
