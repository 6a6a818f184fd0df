import { expect, test } from 'vitest'
import { isSelfOrDescendant, lineOf, treeOf } from './tree.ts'

const first = { session_id: 'first', ancestor_session_ids: [] }
const child = { session_id: 'child', ancestor_session_ids: lineOf(first) }
const grandchild = { session_id: 'grandchild', ancestor_session_ids: lineOf(child) }

test('all that descends from a session is of its tree', () => {
  expect([first, child, grandchild].map(treeOf)).toEqual(['first', 'first', 'first'])
  expect(grandchild.ancestor_session_ids).toEqual(['first', 'child'])
})

test('a session is itself and what descends from it, and not what it descends from', () => {
  expect(isSelfOrDescendant(child, 'child')).toBe(true)
  expect(isSelfOrDescendant(grandchild, 'first')).toBe(true)
  expect(isSelfOrDescendant(first, 'child')).toBe(false)
})
