import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

const columns = [{ header: 'ID' }, { header: 'TITLE', flexible: true }, { header: 'WHERE', flexible: true }]
const rows = [
  ['1', 'a title that is rather long', 'somewhere'],
  ['22', 'short', 'x'],
]

describe('table', () => {
  it('aligns columns and cuts nothing without a width', () => {
    expect(table(columns, rows)).toEqual([
      'ID  TITLE                        WHERE',
      '1   a title that is rather long  somewhere',
      '22  short                        x',
    ])
  })

  it('cuts the widest flexible column first', () => {
    expect(table(columns, rows, 30)).toEqual([
      'ID  TITLE            WHERE',
      '1   a title that i…  somewhere',
      '22  short            x',
    ])
  })

  it('keeps a few characters of each column, even in a narrow terminal', () => {
    expect(table(columns, rows, 5)[1]).toBe('1   a title…  somewhe…')
  })

  it('counts characters, not code units', () => {
    expect(table([{ header: 'A' }, { header: 'B' }], [['👋', 'x']])).toEqual(['A  B', '👋  x'])
  })

  it('of nothing is its header', () => expect(table(columns, [])).toEqual(['ID  TITLE  WHERE']))
})
