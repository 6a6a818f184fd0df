import { describe, expect, it } from 'vitest'
import { exitWords, parseStatusReport } from './exit-words.ts'

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

describe('parseStatusReport', () => {
  it.each([
    ['', null, null],
    ['{ "child-pid": 5410, "pid-namespace": 4026532181 }\n', 5410, null],
    ['{ "child-pid": 5410 }\n{ "exit-code": 137 }\n', 5410, 137],
    ['{ "exit-code": 0 }\n', null, 0],
    ['{ "child-pid": 54', null, null],
    ['{ "child-pid": 54 }\n{ "exit-code": 1', 54, null],
  ])('%j', (text, child_pid, exit_code) => {
    expect(parseStatusReport(text)).toEqual({ child_pid, exit_code })
  })
})
