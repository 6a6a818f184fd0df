import { expect, test } from 'vitest'
import { parseLdd } from './loader-of.ts'

test('the loader and the libraries of a binary', () => {
  const text = [
    '\tlinux-vdso.so.1 (0x00007fdc1c5ac000)',
    '\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007fdc1c01e000)',
    '\t/lib64/ld-linux-x86-64.so.2 (0x00007fdc1c5ae000)',
  ].join('\n')
  expect(parseLdd(text)).toEqual({
    loader: '/lib64/ld-linux-x86-64.so.2',
    libraries: ['/lib/x86_64-linux-gnu/libc.so.6'],
  })
})

test('a binary without a loader', () => {
  expect(() => parseLdd('\tnot a dynamic executable')).toThrow('names no dynamic loader')
})
