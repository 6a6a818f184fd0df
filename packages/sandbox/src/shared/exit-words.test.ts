import { describe, expect, it } from 'vitest'
import { exitWords } from './exit-words.ts'

describe('exitWords', () => {
  it.each([
    [0, 'exited with code 0'],
    [1, 'exited with code 1'],
    [127, 'exited with code 127'],
    [137, 'killed by SIGKILL'],
    [139, 'killed by SIGSEGV'],
    [143, 'killed by SIGTERM'],
    [255, 'exited with code 255'],
  ])('%i is %s', (code, words) => {
    expect(exitWords(code)).toBe(words)
  })
})
