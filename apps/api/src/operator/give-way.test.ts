import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('./give-way.ts', import.meta.url))

/** The value of `nice` of each thread of a process, in proc_pid_stat(5). */
const program = `
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
const { giveWay } = await import(${JSON.stringify(module)})
await readFile('/proc/self/stat')
await giveWay()
const niceOf = (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
const threads = readdirSync('/proc/self/task').map((id) => niceOf(readFileSync('/proc/self/task/' + id + '/stat', 'utf8')))
const child = niceOf(execFileSync('cat', ['/proc/self/stat'], { encoding: 'utf8' }))
process.stdout.write(JSON.stringify({ threads: [...new Set(threads)], child }))`

test('every thread of the process and the programs that it starts go after those of people', () => {
  const own = Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[16])
  expect(readdirSync('/proc/self/task').length).toBeGreaterThan(1)
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const said = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  const after = Math.max(10, own)
  expect(said).toEqual({ threads: [after], child: after })
})
