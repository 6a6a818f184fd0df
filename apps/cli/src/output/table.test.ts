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

  it('counts the cells that a terminal gives a character', () => {
    const wide = ['👋', '👩‍👩‍👧', '🇩🇪', '日本', '표', 'e\u0301', '①']
    expect(
      table(
        [{ header: 'A' }, { header: 'B' }],
        wide.map((text) => [text, 'x']),
      ),
    ).toEqual(['A     B', '👋    x', '👩‍👩‍👧    x', '🇩🇪    x', '日本  x', '표    x', 'e\u0301     x', '①     x'])
  })

  it.each([
    ['修正する丸め誤差', 9, '修正する…'],
    ['修正する丸め誤差', 8, '修正す…'],
    ['🎉🎉🎉🎉🎉', 8, '🎉🎉🎉…'],
  ])('cuts %s to at most %i cells', (text, width, cut) => {
    expect(table([{ header: 'T', flexible: true }], [[text]], width)).toEqual(['T', cut])
  })

  it('leaves out optional columns where nothing can be cut any more, the last one first', () => {
    const optional = [...columns, { header: 'AGE', optional: true }, { header: 'SIZE', optional: true }]
    const long = [['1', 'a title that is rather long', 'somewhere', '3 d ago', '20 kB']]
    const header = (width: number) => table(optional, long, width)[0]?.replaceAll(/ +/g, ' ')
    expect(header(60)).toBe('ID TITLE WHERE AGE SIZE')
    expect(header(36)).toBe('ID TITLE WHERE AGE')
    expect(header(30)).toBe('ID TITLE WHERE')
    expect(header(5)).toBe('ID TITLE WHERE')
  })

  it('of nothing is its header', () => expect(table(columns, [])).toEqual(['ID  TITLE  WHERE']))
})
