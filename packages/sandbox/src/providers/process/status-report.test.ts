import { describe, expect, it } from 'vitest'
import { parseStatusReport } from './status-report.ts'

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
