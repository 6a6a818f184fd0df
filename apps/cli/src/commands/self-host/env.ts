import { text } from 'node:stream/consumers'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failures.ts'
import { findCompose } from '../../self-host/compose.ts'
import { judgeSettings } from '../../self-host/judge-settings.ts'
import { type Places, placesOf } from '../../self-host/places.ts'
import { findRunning } from '../../self-host/running.ts'
import {
  assertSetting,
  readSettings,
  type Settings,
  maskSecret,
  writeSettings,
} from '../../self-host/settings.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const env: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('the settings that were made, without what is secret')).action(
    async ({ json }: JsonFlag) => {
      const settings = Object.entries(await readSettings((await placesOf(cli.io.env)).settings))
      const visible = settings.map(([name, value]) => [name, maskSecret(name, value)] as const)
      if (json) return cli.out.json(Object.fromEntries(visible))
      if (visible.length === 0) return cli.out.note('No settings: everything has its default.')
      for (const [name, value] of visible) cli.out.line(`${name}=${value}`)
    },
  )

  group
    .command('set')
    .description('make settings: NAME=VALUE, NAME=- to read the value from stdin, NAME= for the default')
    .argument('<NAME=VALUE...>')
    .action(async (words: string[]) => {
      const places = await placesOf(cli.io.env)
      await change(cli, places, await assignments(cli, words))
    })
}

/** Keeps settings that the start would take; an empty value takes one away. */
export async function change(cli: Cli, places: Places, changes: Settings): Promise<void> {
  await judgeSettings(places.checkout, changes)
  const merged = { ...(await readSettings(places.settings)), ...changes }
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
  await writeSettings(places.settings, kept)
  for (const [name, value] of Object.entries(changes))
    cli.out.line(`${value === '' ? 'Unset' : 'Set'} ${name}`)
  const as_process = (await findRunning(places.process)) !== null
  if (!as_process && !(await (await findCompose(cli.io.env, places))?.running())?.length) return
  cli.out.note('It takes effect at the next start: svc self-host stop, then start.')
}

/** All of them are looked at before any is kept. A refusal never repeats a value. */
async function assignments({ io }: Cli, words: readonly string[]): Promise<Settings> {
  const pairs = words.map((word, index): readonly [string, string] => {
    const at = word.indexOf('=')
    if (at < 1)
      throw new UsageError(`argument ${index + 1} is not NAME=VALUE`, 'svc self-host env set SVC_PORT=7800')
    const name = word.slice(0, at)
    assertSetting(name)
    return [name, word.slice(at + 1)]
  })
  if (pairs.filter(([, value]) => value === '-').length > 1) {
    throw new UsageError('only one value can be read from stdin', 'set the others by calls of their own')
  }
  const read: [string, string][] = []
  for (const [name, value] of pairs) {
    read.push([name, value === '-' ? (await text(io.stdin)).replace(/\r?\n$/, '') : value])
  }
  return Object.fromEntries(read)
}
