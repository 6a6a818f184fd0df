import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { proxyVariables } from '@svc/facts'
import { UsageError } from '../failures.ts'
import { isObject, strings } from '../json-values.ts'
import { composeOnly } from './compose-env.ts'
import type { Settings } from './settings.ts'

/** Read by every program, whatever the platform's own settings are. */
const ofTheMachine = [...proxyVariables, 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS', 'TZ']

/** Refuses settings that the start would refuse, and names that nothing reads. A checkout that is not built judges none. */
export async function judgeSettings(checkout: string, settings: Settings): Promise<void> {
  const judge = join(checkout, 'apps/standalone/dist/settings.js')
  if (
    !(await access(judge).then(
      () => true,
      () => false,
    ))
  )
    return
  const { known, problems } = await verdictOf(judge, settings)
  const names = [...known, ...composeOnly, ...ofTheMachine]
  const unknown = Object.keys(settings).filter((name) => !names.includes(name))
  const { nearest } = await import('@svc/manifest')
  const unread = unknown.map((name) => {
    // A list of the platform's own, however long.
    const meant = nearest(name, names, names.length)
    return `${name}: nothing reads this setting${meant === undefined ? '' : `; did you mean ${meant}?`}`
  })
  const all = [...unread, ...problems]
  if (all.length > 0)
    throw new UsageError(all.join('\n  '), 'docs/self-host.md lists the settings; none was changed')
}

async function verdictOf(judge: string, settings: Settings) {
  const child = spawn(process.execPath, [judge], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(settings))
  const verdict: unknown = JSON.parse(await text(child.stdout))
  if (!isObject(verdict)) throw new TypeError('the settings were not judged')
  return { known: strings(verdict['known']), problems: strings(verdict['problems']) }
}
