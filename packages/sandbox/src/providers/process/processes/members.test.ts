import { describe, expect, it } from 'vitest'
import { membersOf } from './members.ts'
import type { ProcessRow } from './process-table.ts'

const row = (pid: number, parent: number, uid: number): ProcessRow => ({
  pid,
  parent,
  state: 'S',
  group: pid,
  session: pid,
  start_ticks: '1',
  used_ticks: 0,
  uids: [uid, uid, uid, uid],
})

const rows = [row(1, 0, 0), row(12, 11, 7), row(10, 1, 7), row(11, 10, 7), row(20, 1, 8), row(30, 1, 7)]

describe('membersOf', () => {
  it('takes everything below a known process, in whatever order it is listed', () => {
    expect(membersOf(rows, { uid: null, roots: new Set([10]) }).toSorted()).toEqual([10, 11, 12])
  })

  it('takes everything of the sandbox’s user, also what left its parents', () => {
    expect(membersOf(rows, { uid: 7, roots: new Set() }).toSorted()).toEqual([10, 11, 12, 30])
  })

  it('sees a set-uid program by its real user', () => {
    const suid = { ...row(40, 1, 0), uids: [7, 0, 0, 0] }
    expect(membersOf([...rows, suid], { uid: 7, roots: new Set() })).toContain(40)
  })

  it('is empty when nothing is left', () => {
    expect(membersOf(rows, { uid: 9, roots: new Set([99]) })).toEqual([])
  })
})
