import { expect, test } from 'vitest'
import { RequestEnd } from './request-end.ts'

test('a signal that was looked at before the end, and one after it, tell of it', () => {
  const end = new RequestEnd()
  const early = end.signal
  expect([early.aborted, end.reason]).toEqual([false, undefined])
  const reason = new Error('the client left')
  end.abort(reason)
  end.abort(new Error('its time is up'))
  expect([early.aborted, early.reason, end.reason, end.signal]).toEqual([true, reason, reason, early])
  const late = new RequestEnd()
  late.abort(reason)
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, reason])
})
