import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast, type Oklch } from './contrast.ts'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const one = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
const pair = new RegExp(String.raw`--color-([\w-]+): light-dark\(${one}, ${one}\)`, 'g')

const colour = (l = '', c = '', h = ''): Oklch => ({ l: Number(l), c: Number(c), h: Number(h) })
const tokens = new Map(
  [...css.matchAll(pair)].map(([, name = '', ...n]) => [
    name,
    { light: colour(n[0], n[1], n[2]), dark: colour(n[3], n[4], n[5]) },
  ]),
)

function of(name: string, theme: 'light' | 'dark'): Oklch {
  const token = tokens.get(name)
  if (token === undefined) throw new Error(`There is no colour ${name}`)
  return token[theme]
}

const grounds = ['n1', 'n2', 'n3']
const states = ['info', 'ok', 'warn', 'bad']
const code = [...tokens.keys()].filter((name) => name.startsWith('code-'))

/** Text and what it stands on: 4.5 to 1. */
const texts = [
  ...['n10', 'n11', 'n12', ...states.map((state) => `${state}-text`)].flatMap((text) =>
    grounds.map((ground) => [text, ground]),
  ),
  ...states.flatMap((state) => [
    [`${state}-text`, `${state}-bg`],
    ['n12', `${state}-bg`],
    ['n11', `${state}-bg`],
  ]),
  ['accent-on', 'accent'],
  ['accent-on', 'accent-strong'],
  ...[...code, 'n12'].flatMap((text) =>
    ['n1', 'n2', 'add-bg', 'add-mark', 'del-bg', 'del-mark'].map((ground) => [text, ground]),
  ),
  ...['n11', 'n12'].flatMap((text) => ['n4', 'n5'].map((ground) => [text, ground])),
]

const series = [...tokens.keys()].filter((name) => name.startsWith('chart-'))

/** Marks, series of charts and the borders of controls: 3 to 1. */
const marks = ['n8', 'accent', ...series, ...states.map((state) => `${state}-line`)].flatMap((mark) =>
  ['n1', 'n2'].map((ground) => [mark, ground]),
)

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('text is read on everything that it stands on', () => {
    const faint = texts.filter(
      ([text = '', ground = '']) => contrast(of(text, theme), of(ground, theme)) < 4.5,
    )
    expect(faint).toEqual([])
  })

  test('marks and borders of controls are seen', () => {
    const faint = marks.filter(([mark = '', ground = '']) => contrast(of(mark, theme), of(ground, theme)) < 3)
    expect(faint).toEqual([])
  })
})

test('black on white is 21 to 1', () => {
  expect(contrast(colour('0', '0', '0'), colour('1', '0', '0'))).toBeCloseTo(21, 1)
})
