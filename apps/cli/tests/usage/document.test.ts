import { PassThrough } from 'node:stream'
import { Command } from 'commander'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { createCli } from '../../src/cli.ts'
import { addGroups } from '../../src/commands/add-groups.ts'
import { builtinHosts } from '../../src/config/hosts.ts'
import { globalFlags } from '../../src/global-flags.ts'
import { topics } from '../../src/help/topics.ts'
import type { Io } from '../../src/io.ts'
import { builtInHosts, choices, defaults, readers, unnamed, usages, variables } from '../support/document.ts'
import { readUsage } from '../support/usage-line.ts'

const stdout = Object.assign(new PassThrough(), { isTTY: false })
const io: Io = {
  ...Object({ stdout, stderr: stdout, stdin: stdout }),
  env: {},
  cwd: '/',
  home: '/',
  onInterrupt: () => () => undefined,
}
let program: Command
beforeAll(async () => {
  program = globalFlags(new Command('svc'))
  const flags = () => ({ color: false })
  await addGroups(program, createCli({ io, flags, onTarget: () => undefined }), () => true)
})

function find(path: readonly string[]): Command {
  let command = program
  for (const word of path) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next === undefined) throw new Error(`svc ${path.join(' ')}: there is no ${word}`)
    command = next
  }
  return command
}

const flagOf = (command: Command, name: string) =>
  [...command.options, ...program.options].find(({ long, short }) => long === name || short === name)

function leaves(command: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
}

describe('the document’s table of commands', () => {
  it.each(usages)('svc %s', (line) => {
    const { path, args, flags } = readUsage(line)
    const command = find(path)
    expect(command.registeredArguments.map(({ required, variadic }) => ({ required, variadic }))).toEqual(
      args,
    )
    for (const { name, required, value } of flags) {
      const flag = flagOf(command, name)
      expect(flag, `${name} is missing`).toBeDefined()
      expect({ required: flag?.mandatory, value: flag?.required }, name).toEqual({ required, value })
    }
    // Nothing is demanded that the document lets be left out.
    const demanded = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long)
    expect(demanded).toEqual(flags.filter(({ required }) => required).map(({ name }) => name))
  })

  it.each(defaults)('svc %s takes %s = %s when nothing is said', (line, name, value) => {
    const command = find(line.split(' '))
    const argument = command.registeredArguments.find((each) => each.name() === name)
    expect((flagOf(command, name) ?? argument)?.defaultValue).toBe(value)
  })

  it.each(choices)('svc %s %s is one of %j', (line, name, values) => {
    expect(flagOf(find(line.split(' ')), name)?.argChoices).toEqual(values)
  })

  it('names the hosts that are built in', () => {
    expect(Object.keys(builtinHosts)).toEqual(builtInHosts)
  })

  it.each(variables)('%s is explained', (name) => {
    expect(topics['environment']?.({})).toMatch(new RegExp(`\\b${name}\\b`))
  })

  it('every command that shows something has --json, and --host reaches all', () => {
    const shown = leaves(program).filter(([, command]) => readers.includes(command.name()))
    expect(shown.length).toBeGreaterThan(20)
    const without = shown.filter(([, command]) => flagOf(command, '--json') === undefined)
    expect(without.map(([path]) => path)).toEqual([])
    expect(flagOf(program, '--host')).toMatchObject({ mandatory: false, required: true })
  })
})

describe('a capability that is not there yet', () => {
  test.each(unnamed)('%s: when it comes with commands, they belong in the table above', (name) => {
    expect(usages.some((line) => line.startsWith(`${name} `))).toBe(
      program.commands.some((command) => command.name() === name),
    )
  })
})
