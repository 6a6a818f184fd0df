import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { runProgram } from '../../src/program.ts'
import type { Io } from '../../src/io.ts'

/** The stdout of a command line, run in this process: help reaches nothing else. */
async function help(...words: string[]): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: false })
  const io: Io = {
    ...Object({ stdout, stderr: stdout }),
    env: {},
    cwd: '/',
    home: '/',
    onInterrupt: () => () => undefined,
  }
  await runProgram(words, io, () => undefined).catch((error: { exitCode?: number }) => {
    if (error.exitCode !== 0) throw error
  })
  return String(stdout.read() ?? '')
}

/** The commands that a page of help lists. */
function listed(page: string): string[] {
  const [, commands = ''] = page.split('\nCommands:\n')
  const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'help')
}

async function pages(path: readonly string[]): Promise<string[]> {
  const page = await help('help', ...path)
  const own = `$ ${['svc', 'help', ...path].join(' ')}\n\n${page}`
  const below: string[] = []
  for (const name of listed(page)) below.push(...(await pages([...path, name])))
  return [own, ...below]
}

it('every command explains itself as written', async () => {
  const topics = ['agent', 'environment', 'exit-codes']
  const all = [...(await pages([])), ...(await Promise.all(topics.map((topic) => help('help', topic))))]
  expect(all.length).toBeGreaterThan(90)
  await expect(`${all.join('\n\n')}`).toMatchFileSnapshot('help.txt')
})
