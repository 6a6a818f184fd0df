import { describe, expect, expectTypeOf, test } from 'vitest'
import { type EventOf, machine, type StateOf } from './machine.ts'

const door = machine({
  open: { shut: 'closed', wave: 'open' },
  closed: { open: 'open', lock: 'locked' },
  locked: { unlock: 'closed', force: 'open' },
})

test('its states and events are those of the table, in its order', () => {
  expect(door.states).toEqual(['open', 'closed', 'locked'])
  expect(door.events).toEqual(['shut', 'wave', 'open', 'lock', 'unlock', 'force'])
  expectTypeOf<StateOf<typeof door>>().toEqualTypeOf<'open' | 'closed' | 'locked'>()
  expectTypeOf<EventOf<typeof door>>().toEqualTypeOf<'shut' | 'wave' | 'open' | 'lock' | 'unlock' | 'force'>()
})

test('an event leads somewhere, from the states that name it', () => {
  expect([door.to('shut'), door.from('shut')]).toEqual(['closed', ['open']])
  expect([door.to('wave'), door.from('wave')]).toEqual(['open', ['open']])
  expect(door.accepts('locked', 'unlock')).toBe(true)
  expect(door.accepts('open', 'unlock')).toBe(false)
})

describe('a table is refused', () => {
  test('that leads one event to two states', () => {
    expect(() => machine({ a: { go: 'b' }, b: { go: 'a' } })).toThrow('go leads to b and to a')
  })

  test('by its type, when it leads out of itself', () => {
    // @ts-expect-error: `c` is no state
    machine({ a: { go: 'c' }, b: {} })
  })
})

test('a name that is none of its own does not type-check', () => {
  // @ts-expect-error: no such event
  expect(() => door.to('burn')).toThrow('No state accepts burn')
  // @ts-expect-error: no such state
  expect(door.accepts('ajar', 'shut')).toBe(false)
})
