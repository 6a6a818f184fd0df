import { expect, test } from 'vitest'
import { csv } from './csv.ts'

test('cells are quoted where they have to be, and never read as formulas', () => {
  const rows = [
    { agent: '=HYPERLINK("x")', calls: 2, model: 'a,b' },
    { agent: '+1', calls: 0, model: '-1' },
    { agent: '@x', calls: 1, model: null },
  ]
  expect(csv(['agent', 'calls', 'model'], rows)).toBe(
    `agent,calls,model\r\n"'=HYPERLINK(""x"")",2,"a,b"\r\n'+1,0,'-1\r\n'@x,1,\r\n`,
  )
})
