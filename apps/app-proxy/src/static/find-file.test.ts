import { expect, it } from 'vitest'
import { findFile } from './find-file.ts'

const site = new Set(['index.html', 'about.html', 'docs/index.html', 'a b.txt', 'app-3f9a1c2e.js'])
const whole = new Set([...site, '404.html'])
const file = (path: string, status: 200 | 404 = 200) => ({ kind: 'file', path, status })

it.each([
  ['/', file('index.html')],
  ['/?a=1', file('index.html')],
  ['/about', file('about.html')],
  ['/about.html', file('about.html')],
  ['/docs/', file('docs/index.html')],
  ['/docs?a=1', { kind: 'redirect', to: '/docs/?a=1' }],
  ['/a%20b.txt', file('a b.txt')],
  ['/nothing', { kind: 'missing' }],
  ['//docs', { kind: 'missing' }],
  ['/../index.html', { kind: 'missing' }],
  ['/%ff', { kind: 'missing' }],
])('%s of a site', (target, found) => {
  expect(findFile(site, target, false)).toEqual(found)
})

it('answers what is not there with the site’s own page, where it has one', () => {
  expect(findFile(whole, '/nothing', false)).toEqual(file('404.html', 404))
})

it('answers a path of a single page application with its page, and a file that is not there with none', () => {
  expect(findFile(whole, '/users/7', true)).toEqual(file('index.html'))
  expect(findFile(whole, '/old-1a2b3c4d.js', true)).toEqual(file('404.html', 404))
})
